/* pwp_sim_apply_typed from C: every input of each 16-bit type through some functions, against pwp_sim_apply on the floats
 * of the same values and this program's own conversions; in place; and bad arguments.
 *
 *   typed        exit status 0 where all holds
 */
#include <pwp_sim.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 65536 };

static int failures;

static void check(bool ok, const char *what, int line)
{
    if (!ok && failures++ < 20) {
        printf("FAILED, line %d: %s (last error: %s)\n", line, what, pwp_sim_last_error());
    }
}

#define CHECK(condition) check((condition), #condition, __LINE__)

/* A format of 16 bits by its numbers. */
struct format {
    pwp_sim_dtype dtype;
    int exponent_bits;
    int mantissa_bits;
};

static const struct format binary16 = {PWP_SIM_DTYPE_F16, 5, 10};
static const struct format bfloat16 = {PWP_SIM_DTYPE_BF16, 8, 7};

static int top_exponent(const struct format *format)
{
    return (1 << format->exponent_bits) - 1;
}

/* The value of a pattern; NaN of any kind is NAN. */
static float value_of(const struct format *format, unsigned bits)
{
    const int mantissa = (int)(bits & ((1u << format->mantissa_bits) - 1));
    const int exponent = (int)(bits >> format->mantissa_bits) & top_exponent(format);
    const int bias = top_exponent(format) / 2;
    double value;
    if (exponent == top_exponent(format)) {
        value = mantissa != 0 ? NAN : HUGE_VAL;
    } else if (exponent == 0) {
        value = ldexp(mantissa, 1 - bias - format->mantissa_bits);
    } else {
        value = ldexp(mantissa + (1 << format->mantissa_bits), exponent - bias - format->mantissa_bits);
    }
    return (float)(bits >> 15 != 0 ? -value : value);
}

/* Whether the pattern is what this float rounds to: it is no farther than its two neighbours, and even where one is as
 * near. What would follow the largest number stands for the infinity. */
static bool is_nearest(const struct format *format, float y, unsigned bits)
{
    const unsigned infinity = (unsigned)top_exponent(format) << format->mantissa_bits;
    const unsigned magnitude = bits & 0x7fff;
    if (isnan(y)) {
        return magnitude > infinity && (magnitude >> (format->mantissa_bits - 1) & 1) == 1;
    }
    if (magnitude > infinity || (bits >> 15 != 0) != (signbit(y) != 0)) {
        return false;
    }
    const double beyond = ldexp(1, top_exponent(format) - top_exponent(format) / 2);
    const double size = fabs(y) > beyond ? beyond : fabs(y);
    const double here = magnitude == infinity ? beyond : (double)value_of(format, magnitude);
    const double above = magnitude + 1 >= infinity ? beyond : (double)value_of(format, magnitude + 1);
    const double below = magnitude == 0 ? -1 : (double)value_of(format, magnitude - 1);
    const bool even = magnitude % 2 == 0;
    const bool under = magnitude == infinity || (even ? size <= (here + above) / 2 : size < (here + above) / 2);
    const bool over = magnitude == 0 || (even ? size >= (here + below) / 2 : size > (here + below) / 2);
    return under && over;
}

static bool same_bits(const float *one, const float *other, size_t count)
{
    return memcmp(one, other, count * sizeof *one) == 0;
}

static const pwp_sim_affine affine = {0.5f, 0.25f, 0.0f};

/* All inputs of one type through one function, to all types. */
static void all_inputs(const pwp_sim *sim, pwp_sim_function function, bool use_pwp, const struct format *from)
{
    static uint16_t in[COUNT], out[COUNT];
    static float wide[COUNT], due[COUNT], floats[COUNT];
    for (unsigned bits = 0; bits < COUNT; bits++) {
        in[bits] = (uint16_t)bits;
        wide[bits] = value_of(from, bits);
    }
    CHECK(pwp_sim_apply(sim, function, &affine, due, wide, COUNT, use_pwp) == PWP_SIM_OK);
    CHECK(pwp_sim_apply_typed(sim, function, &affine, floats, PWP_SIM_DTYPE_F32, in, from->dtype, COUNT, use_pwp) ==
          PWP_SIM_OK);
    for (size_t i = 0; i < COUNT; i++) {
        CHECK(isnan(due[i]) ? isnan(floats[i]) : same_bits(&due[i], &floats[i], 1));
    }
    const struct format *formats[] = {&binary16, &bfloat16};
    for (size_t f = 0; f < 2; f++) {
        const pwp_sim_dtype to = formats[f]->dtype;
        CHECK(pwp_sim_apply_typed(sim, function, &affine, out, to, in, from->dtype, COUNT, use_pwp) == PWP_SIM_OK);
        for (size_t i = 0; i < COUNT; i++) {
            CHECK(is_nearest(formats[f], floats[i], out[i]));
        }
        uint16_t *many = malloc(sizeof out);
        CHECK(pwp_sim_apply_typed_parallel(sim, function, &affine, many, to, in, from->dtype, COUNT, use_pwp, 0) ==
              PWP_SIM_OK);
        CHECK(memcmp(out, many, sizeof out) == 0);
        /* In place, to elements of the same size. */
        memcpy(many, in, sizeof in);
        CHECK(pwp_sim_apply_typed(sim, function, &affine, many, to, many, from->dtype, COUNT, use_pwp) == PWP_SIM_OK);
        CHECK(memcmp(out, many, sizeof out) == 0);
        free(many);
    }
}

static void floats_narrow_in_place(const pwp_sim *sim)
{
    static float data[COUNT];
    static uint16_t apart[COUNT];
    for (int i = 0; i < COUNT; i++) {
        data[i] = (float)(i - COUNT / 2) / 4096.0f;
    }
    CHECK(pwp_sim_apply_typed(sim, PWP_SIM_FUNCTION_TANH, NULL, apart, PWP_SIM_DTYPE_BF16, data, PWP_SIM_DTYPE_F32, COUNT,
                              true) == PWP_SIM_OK);
    CHECK(pwp_sim_apply_typed(sim, PWP_SIM_FUNCTION_TANH, NULL, data, PWP_SIM_DTYPE_BF16, data, PWP_SIM_DTYPE_F32, COUNT,
                              true) == PWP_SIM_OK);
    CHECK(memcmp(data, apart, sizeof apart) == 0);
}

static void bad_arguments_are_refused_and_nothing_is_written(const pwp_sim *sim)
{
    uint16_t in = 0x3c00, out = 0x1234;
    const pwp_sim_dtype f16 = PWP_SIM_DTYPE_F16;
    const int none[] = {-1, 3, 0x7fffffff};
    for (int i = 0; i < 3; i++) {
        const pwp_sim_dtype no_type = (pwp_sim_dtype)none[i];
        CHECK(pwp_sim_apply_typed(sim, 7, NULL, &out, no_type, &in, f16, 1, true) == PWP_SIM_INVALID_ARGUMENT);
        CHECK(strstr(pwp_sim_last_error(), "out_type") != NULL);
        CHECK(pwp_sim_apply_typed(sim, 7, NULL, &out, f16, &in, no_type, 1, true) == PWP_SIM_INVALID_ARGUMENT);
        CHECK(strstr(pwp_sim_last_error(), "in_type") != NULL);
        CHECK(pwp_sim_apply_typed(sim, 7, NULL, NULL, f16, NULL, no_type, 0, true) == PWP_SIM_INVALID_ARGUMENT);
    }
    CHECK(pwp_sim_apply_typed(NULL, 7, NULL, &out, f16, &in, f16, 1, true) == PWP_SIM_INVALID_ARGUMENT);
    CHECK(pwp_sim_apply_typed(sim, 7, NULL, NULL, f16, &in, f16, 1, true) == PWP_SIM_INVALID_ARGUMENT);
    CHECK(pwp_sim_apply_typed(sim, 7, NULL, &out, f16, NULL, f16, 1, true) == PWP_SIM_INVALID_ARGUMENT);
    CHECK(pwp_sim_apply_typed(sim, 7, NULL, &out, f16, &in, f16, SIZE_MAX / 2, true) == PWP_SIM_INVALID_ARGUMENT);
    CHECK(pwp_sim_apply_typed(sim, 31, NULL, &out, f16, &in, f16, 1, true) == PWP_SIM_UNSUPPORTED_FUNCTION);
    CHECK(pwp_sim_apply_typed(sim, PWP_SIM_FUNCTION_LN_PRIME, NULL, &out, f16, &in, f16, 1, true) == PWP_SIM_NO_PROFILE);
    CHECK(out == 0x1234);
    CHECK(pwp_sim_apply_typed(sim, 7, NULL, NULL, f16, NULL, f16, 0, true) == PWP_SIM_OK);
}

int main(void)
{
    static const pwp_sim_function functions[] = {PWP_SIM_FUNCTION_EXP, PWP_SIM_FUNCTION_GELU, PWP_SIM_FUNCTION_SIGMOID};
    pwp_sim *sim;
    if (pwp_sim_create("builtin:", &sim) != PWP_SIM_OK) {
        printf("FAILED: %s\n", pwp_sim_last_error());
        return 1;
    }
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        for (int use_pwp = 0; use_pwp < 2; use_pwp++) {
            all_inputs(sim, functions[i], use_pwp, &binary16);
            all_inputs(sim, functions[i], use_pwp, &bfloat16);
        }
    }
    floats_narrow_in_place(sim);
    bad_arguments_are_refused_and_nothing_is_written(sim);
    pwp_sim_destroy(sim);
    printf("%d failures\n", failures);
    return failures != 0;
}
