/* For every function with a table: a few inputs, the exact value, the table's value, and how far apart they are.
 *
 *   demo [PROFILES]      a directory of profiles; the tables that come with the library where it is not given
 */
#include <pwp_sim.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The floats in order, as integers: neighbours differ by 1. */
static int64_t place_of(float value)
{
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits < 0 ? (int64_t)INT32_MIN - bits : bits;
}

static void print_row(const char *name, float x, float exact, float table)
{
    printf("%-30s %10.4g %15.8g %15.8g ", name, (double)x, (double)exact, (double)table);
    if (isnan(exact) || isnan(table)) {
        printf("%12s\n", isnan(exact) && isnan(table) ? "both NaN" : "one NaN");
    } else {
        printf("%12" PRId64 "\n", place_of(table) - place_of(exact));
    }
}

int main(int argc, char **argv)
{
    static const float inputs[] = {-6.0f, -1.5f, -0.25f, 0.001f, 0.5f, 1.0f, 3.0f, 20.0f};
    enum { COUNT = sizeof inputs / sizeof inputs[0] };
    const char *profiles = argc > 1 ? argv[1] : "builtin:";

    pwp_sim *sim;
    if (pwp_sim_create(profiles, &sim) != PWP_SIM_OK) {
        fprintf(stderr, "demo: %s\n", pwp_sim_last_error());
        return 1;
    }
    printf("pwp_sim %s, tables of %s\n\n", pwp_sim_version(), profiles);
    printf("%-30s %10s %15s %15s %12s\n", "function", "x", "exact", "table", "ULP");

    int tables = 0;
    for (size_t index = 0; index < pwp_sim_function_count(); index++) {
        pwp_sim_function function;
        pwp_sim_table_info_t info;
        if (pwp_sim_function_at(index, &function) != PWP_SIM_OK ||
            pwp_sim_table_info(sim, function, &info) != PWP_SIM_OK) {
            continue; /* a function without a table */
        }
        tables++;
        float exact[COUNT], table[COUNT];
        /* Null for the affine: the inputs as they are. The last argument picks the path. */
        if (pwp_sim_apply(sim, function, NULL, exact, inputs, COUNT, false) != PWP_SIM_OK ||
            pwp_sim_apply(sim, function, NULL, table, inputs, COUNT, true) != PWP_SIM_OK) {
            fprintf(stderr, "demo: %s\n", pwp_sim_last_error());
            pwp_sim_destroy(sim);
            return 1;
        }
        for (int i = 0; i < COUNT; i++) {
            print_row(pwp_sim_function_name(function), inputs[i], exact[i], table[i]);
        }
        printf("%-30s %" PRIu32 " sections\n\n", "", info.num_sections);
    }
    pwp_sim_destroy(sim);
    printf("%d functions have a table\n", tables);
    return tables == 0;
}
