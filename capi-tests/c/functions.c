/* Every call that tells of functions, and the text of every status, from C: right arguments and wrong ones.
 *
 *   functions        exit status 0 where all holds
 */
#include <pwp_sim.h>

#include <limits.h>
#include <stdio.h>
#include <string.h>

static int failures;

static void check(bool ok, const char *what, int line)
{
    if (!ok) {
        printf("FAILED, line %d: %s (last error: %s)\n", line, what, pwp_sim_last_error());
        failures++;
    }
}

#define CHECK(condition) check((condition), #condition, __LINE__)

/* Two strings, either of them null. */
static bool same(const char *one, const char *other)
{
    return one == other || (one != NULL && other != NULL && strcmp(one, other) == 0);
}

static const int no_functions[] = {-1, 29, 30, 31, 34, INT_MIN, INT_MAX};
enum { NO_FUNCTIONS = sizeof no_functions / sizeof no_functions[0] };

/* A name finds this function, or none with this status. */
static void check_name(const char *name, pwp_sim_status due, pwp_sim_function function)
{
    pwp_sim_function found = PWP_SIM_FUNCTION_MEMSET_ZERO;
    CHECK(pwp_sim_function_from_any_name(name, &found) == due);
    CHECK(found == (due == PWP_SIM_OK ? function : PWP_SIM_FUNCTION_MEMSET_ZERO));
}

/* Each name that the library gives of a function leads back to it. */
static void every_function_is_found_by_its_names(void)
{
    CHECK(pwp_sim_function_count() == 31);
    for (size_t index = 0; index < pwp_sim_function_count(); index++) {
        pwp_sim_function function, found;
        pwp_sim_function_info_t info;
        CHECK(pwp_sim_function_at(index, &function) == PWP_SIM_OK);
        CHECK(pwp_sim_function_info(function, &info) == PWP_SIM_OK);
        CHECK(info.function == function);
        CHECK(same(info.name, pwp_sim_function_name(function)));
        CHECK(pwp_sim_function_from_name(info.name, &found) == PWP_SIM_OK && found == function);
        const char *names[] = {info.name, info.profile, info.profile_name, info.front_end};
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
            if (names[i] != NULL) {
                check_name(names[i], PWP_SIM_OK, function);
            }
        }
        size_t count;
        CHECK(pwp_sim_function_profiles(function, NULL, 0, &count) == PWP_SIM_OK);
        CHECK((count == 0) == (info.function_class == PWP_SIM_CLASS_CLOSED_FORM));
    }
}

static void ln_is_described_in_full(void)
{
    pwp_sim_function_info_t ln;
    CHECK(pwp_sim_function_info(PWP_SIM_FUNCTION_LN, &ln) == PWP_SIM_OK);
    CHECK(same(ln.name, "Ln") && same(ln.profile, "ln") && same(ln.profile_name, "ln_40p") && same(ln.front_end, "log"));
    CHECK(ln.bir == 11 && ln.neuron_id == 10 && ln.function_class == PWP_SIM_CLASS_TABLE);
    CHECK(ln.budget == 40 && ln.published_sections == 1219);
    pwp_sim_profile_t profiles[3] = {{0, 0, 0}, {0, 0, 0}, {7, 7, 7}};
    size_t count = 0;
    CHECK(pwp_sim_function_profiles(PWP_SIM_FUNCTION_LN, profiles, 3, &count) == PWP_SIM_OK && count == 2);
    CHECK(profiles[0].budget == 40 && profiles[0].sections == 1219 && profiles[0].octaves == 128);
    CHECK(profiles[1].budget == 400 && profiles[1].sections == 513 && profiles[1].octaves == 128);
    CHECK(profiles[2].budget == 7);
}

static void bad_arguments_are_refused_and_nothing_is_written(void)
{
    pwp_sim_function function = PWP_SIM_FUNCTION_MEMSET_ZERO;
    pwp_sim_function_info_t info = {0};
    pwp_sim_profile_t profile = {7, 7, 7};
    size_t count = 99;

    CHECK(pwp_sim_function_at(0, NULL) == PWP_SIM_INVALID_ARGUMENT);
    CHECK(pwp_sim_function_at(31, &function) == PWP_SIM_INVALID_ARGUMENT);
    CHECK(pwp_sim_function_at((size_t)-1, &function) == PWP_SIM_INVALID_ARGUMENT);
    CHECK(function == PWP_SIM_FUNCTION_MEMSET_ZERO);

    check_name(NULL, PWP_SIM_INVALID_ARGUMENT, function);
    check_name("Exp\xff", PWP_SIM_INVALID_ARGUMENT, function);
    check_name("", PWP_SIM_UNSUPPORTED_FUNCTION, function);
    check_name("EXP", PWP_SIM_UNSUPPORTED_FUNCTION, function);
    check_name("exp_04p", PWP_SIM_UNSUPPORTED_FUNCTION, function);
    check_name("is_finite", PWP_SIM_UNSUPPORTED_FUNCTION, function);
    CHECK(pwp_sim_function_from_any_name("exp", NULL) == PWP_SIM_INVALID_ARGUMENT);

    CHECK(pwp_sim_function_info(PWP_SIM_FUNCTION_EXP, NULL) == PWP_SIM_INVALID_ARGUMENT);
    CHECK(pwp_sim_function_profiles(PWP_SIM_FUNCTION_EXP, NULL, 1, &count) == PWP_SIM_INVALID_ARGUMENT);
    CHECK(pwp_sim_function_profiles(PWP_SIM_FUNCTION_EXP, &profile, 1, NULL) == PWP_SIM_INVALID_ARGUMENT);
    for (int i = 0; i < NO_FUNCTIONS; i++) {
        const pwp_sim_function none = (pwp_sim_function)no_functions[i];
        CHECK(pwp_sim_function_info(none, &info) == PWP_SIM_UNSUPPORTED_FUNCTION);
        CHECK(pwp_sim_function_profiles(none, &profile, 1, &count) == PWP_SIM_UNSUPPORTED_FUNCTION);
        CHECK(pwp_sim_function_name(none) == NULL);
    }
    CHECK(info.name == NULL && profile.budget == 7 && count == 99);
}

static void every_status_has_a_text(void)
{
    for (int status = PWP_SIM_OK; status <= PWP_SIM_NO_MEMORY; status++) {
        const char *text = pwp_sim_status_text((pwp_sim_status)status);
        CHECK(text != NULL && text[0] != '\0');
    }
    CHECK(same(pwp_sim_status_text(PWP_SIM_NO_PROFILE), "no table for the function"));
    CHECK(pwp_sim_status_text((pwp_sim_status)9) == NULL);
    CHECK(pwp_sim_status_text((pwp_sim_status)-1) == NULL);
}

int main(void)
{
    every_function_is_found_by_its_names();
    ln_is_described_in_full();
    bad_arguments_are_refused_and_nothing_is_written();
    every_status_has_a_text();
    printf("%d failures\n", failures);
    return failures != 0;
}
