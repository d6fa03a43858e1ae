/*
 * pwp_sim.h: the C interface of libpwp_sim, a bit-exact model of Trainium's piecewise-polynomial activation engine.
 *
 * Made by cbindgen from the library's source; do not edit it. `make header` makes it again.
 *
 * C99 and later, C++11 and later. Enums are 32 bits wide, also with -fshort-enums.
 *
 * What holds for every call:
 *   - Null where a pointer is due is an error or, where the comment says so, allowed; it never crashes. Any other
 *     pointer must be good for what the comment says: the library cannot check that.
 *   - A call that can fail returns a pwp_sim_status; pwp_sim_last_error() then gives the calling thread's message. The
 *     arguments are checked first, then the function, then its table, then the inputs: the first fault gives the status.
 *   - An enum argument is taken as an integer and checked.
 *   - Strings that the library returns are static or the library's own: do not free them.
 *   - A bool argument is true for every byte but 0.
 *   - A simulator can be used from any number of threads at once, and after fork, in whatever state that finds the other
 *     threads of the parent.
 *   - Environment variables are read once a process, at the first call that needs them.
 *   - Results follow the caller's floating-point environment; its control bits and the locale are left alone.
 */

#ifndef PWP_SIM_H
#define PWP_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What a call came to.
enum pwp_sim_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Success.
    PWP_SIM_OK = 0,
    // Null where a pointer is due, a name that is not UTF-8, a count that does not fit the address space.
    PWP_SIM_INVALID_ARGUMENT = 1,
    // A name or an integer that is no function.
    PWP_SIM_UNSUPPORTED_FUNCTION = 2,
    // A profile directory or file that cannot be read.
    PWP_SIM_PROFILE_IO = 3,
    // A file that is no valid profile.
    PWP_SIM_PROFILE_FORMAT = 4,
    // The table path was asked for and the function has no table.
    PWP_SIM_NO_PROFILE = 5,
    // No section of the table covers some inputs; their results are NaN.
    PWP_SIM_UNHANDLED_SECTION = 6,
    // A defect of the library, caught before it could cross the boundary.
    PWP_SIM_INTERNAL = 7,
    // There is not enough memory for what is loaded. With more of it the same call succeeds.
    PWP_SIM_NO_MEMORY = 8,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum pwp_sim_status pwp_sim_status;
#else
typedef int32_t pwp_sim_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// How the silicon computes a function.
enum pwp_sim_class
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // It does not: the closed form is all there is.
    PWP_SIM_CLASS_CLOSED_FORM = 0,
    // Without sections: the four saturation sections are the whole function.
    PWP_SIM_CLASS_HARDWIRED = 1,
    // By a table of octaves and sections.
    PWP_SIM_CLASS_TABLE = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum pwp_sim_class pwp_sim_class;
#else
typedef int32_t pwp_sim_class;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Where an input lands in a table.
enum pwp_sim_place
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // At or beyond the high threshold of the positive side.
    PWP_SIM_PLACE_POS_HIGH = 0,
    // At or below the low threshold of the positive side.
    PWP_SIM_PLACE_POS_LOW = 1,
    // At or beyond the high threshold, in magnitude, of the negative side.
    PWP_SIM_PLACE_NEG_HIGH = 2,
    // At or below the low threshold, in magnitude, of the negative side.
    PWP_SIM_PLACE_NEG_LOW = 3,
    // In a section of an octave.
    PWP_SIM_PLACE_OCTAVE = 4,
    // A zero or an infinity: no section, a result of its own, given as `d0`.
    PWP_SIM_PLACE_SPECIAL = 5,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum pwp_sim_place pwp_sim_place;
#else
typedef int32_t pwp_sim_place;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// A function the simulator can compute. The values are the compiler's BIR ordinals; the two functions without one
// have values of their own, 32 and 33.
enum pwp_sim_function
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    PWP_SIM_FUNCTION_IDENTITY = 0,
    PWP_SIM_FUNCTION_SQUARE = 1,
    PWP_SIM_FUNCTION_RELU = 2,
    PWP_SIM_FUNCTION_LRELU = 3,
    PWP_SIM_FUNCTION_PRELU = 4,
    PWP_SIM_FUNCTION_SIGMOID = 5,
    PWP_SIM_FUNCTION_TANH = 6,
    PWP_SIM_FUNCTION_EXP = 7,
    PWP_SIM_FUNCTION_SOFTPLUS = 8,
    PWP_SIM_FUNCTION_SQRT = 9,
    PWP_SIM_FUNCTION_RSQRT = 10,
    PWP_SIM_FUNCTION_LN = 11,
    PWP_SIM_FUNCTION_ERF = 12,
    PWP_SIM_FUNCTION_SIN = 13,
    PWP_SIM_FUNCTION_ARCTAN = 14,
    PWP_SIM_FUNCTION_SIGN = 15,
    PWP_SIM_FUNCTION_GELU = 16,
    PWP_SIM_FUNCTION_MISH = 17,
    PWP_SIM_FUNCTION_GELU_APPRX_TANH = 18,
    PWP_SIM_FUNCTION_GELU_APPRX_SIGMOID = 19,
    PWP_SIM_FUNCTION_DERIVATIVE_GELU_APPRX_SIGMOID = 20,
    PWP_SIM_FUNCTION_DERIVATIVE_GELU = 21,
    PWP_SIM_FUNCTION_DERIVATIVE_ERF = 22,
    PWP_SIM_FUNCTION_COPY = 23,
    PWP_SIM_FUNCTION_ABS = 24,
    PWP_SIM_FUNCTION_RECIPROCAL = 25,
    PWP_SIM_FUNCTION_ABS_RECIPROCAL_SQRT = 26,
    PWP_SIM_FUNCTION_SILU = 27,
    PWP_SIM_FUNCTION_DERIVATIVE_SILU = 28,
    PWP_SIM_FUNCTION_LN_PRIME = 32,
    PWP_SIM_FUNCTION_MEMSET_ZERO = 33,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum pwp_sim_function pwp_sim_function;
#else
typedef int32_t pwp_sim_function;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What the elements of a buffer are.
enum pwp_sim_dtype
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // IEEE binary32, a float.
    PWP_SIM_DTYPE_F32 = 0,
    // IEEE binary16: 1 sign, 5 exponent, 10 mantissa.
    PWP_SIM_DTYPE_F16 = 1,
    // bfloat16, the upper half of a float.
    PWP_SIM_DTYPE_BF16 = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum pwp_sim_dtype pwp_sim_dtype;
#else
typedef int32_t pwp_sim_dtype;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// A simulator: built once by pwp_sim_create, never changed after, shared by any number of threads without a lock.
typedef struct pwp_sim pwp_sim;

// A catalog: the function sets that the hardware can load, in the order that gives them their indices. Made by
// pwp_sim_catalog_open, never changed after, shared by any number of threads without a lock.
typedef struct pwp_sim_catalog pwp_sim_catalog;

// `scale * x + bias`, and the parameter of the parametric functions, in their natural meaning: not in the order
// of the original's registers (`docs/behaviour.md`, section 5).
typedef struct {
    // Multiplies the input.
    float scale;
    // Added to the product, after the product was rounded to float.
    float bias;
    // The slope of Prelu for negative inputs; no other function reads it.
    float alpha;
} pwp_sim_affine;

// The names and numbers of a function. The strings are static.
typedef struct {
    // The compiler's name, which pwp_sim_simulate takes: "Ln".
    const char *name;
    // The profile function: "ln". Null for a function without one.
    const char *profile;
    // The profile that a directory is expected to hold: "ln_40p". Null where none is loaded.
    const char *profile_name;
    // The name in the kernel language: "log". Null for a function without one.
    const char *front_end;
    // The function.
    pwp_sim_function function;
    // How the silicon computes it.
    pwp_sim_class function_class;
    // The compiler's BIR ordinal; -1 for a function without one.
    int32_t bir;
    // The silicon's code of the function, on trainium; -1 where none is published.
    int32_t neuron_id;
    // The N of `<profile>_<N>p` in profile_name; 0 where that is null.
    uint32_t budget;
    // Sections of the published table of that profile; 0 for a hardwired function, -1 where none is published.
    int32_t published_sections;
} pwp_sim_function_info_t;

// A published profile of a function: the profile `<profile>_<budget>p`, where `<profile>` is the function's.
typedef struct {
    // The budget, 1 for a hardwired function.
    uint32_t budget;
    // The sections of all octaves, without the four of the saturation points.
    uint32_t sections;
    // The octaves of both signs.
    uint32_t octaves;
} pwp_sim_profile_t;

// A saturation point: its threshold, compared as 32-bit signed integers, and its section.
typedef struct {
    // The threshold's biased exponent.
    int32_t sat_point;
    // The threshold's mantissa.
    int32_t mantissa_point;
    // The section's centre and coefficients.
    float x;
    // As in pwp_sim_section.
    float d0;
    // As in pwp_sim_section.
    float d1;
    // As in pwp_sim_section.
    float d2;
    // As in pwp_sim_section.
    float d3;
} pwp_sim_clamp;

// The octaves of one sign.
typedef struct {
    // How many octaves the profile has, be they empty; where it is 0 the next two are 0 as well.
    uint32_t count;
    // The unbiased exponent of the first.
    int32_t first;
    // The unbiased exponent of the last.
    int32_t last;
} pwp_sim_octaves;

// What a function's table is made of.
typedef struct {
    // Inputs are folded to one sign: those of the other are reflected.
    bool symmetry_en;
    // The result of a reflected input is negated.
    bool symmetry_invert_sign_opt;
    // The fold goes to the negative side, so the positive inputs are the reflected ones. With the environment variable
    // PWP_SIM_FOLD=negative, read once a process, it is the results of the negative inputs that change even so.
    bool symmetry_opt_use_neg_region;
    // Then added to the result of a reflected input.
    float symmetry_point;
    // The result for either zero.
    float zero_result;
    // Loaded and shown; never returned.
    float nan_result;
    // The result for +inf.
    float pinf_result;
    // The result for -inf.
    float ninf_result;
    // High threshold of the positive side.
    pwp_sim_clamp pos_high;
    // Low threshold of the positive side.
    pwp_sim_clamp pos_low;
    // High threshold, in magnitude, of the negative side.
    pwp_sim_clamp neg_high;
    // Low threshold, in magnitude, of the negative side.
    pwp_sim_clamp neg_low;
    // Sections that the profile gives in all octaves, without the four above.
    uint32_t num_sections;
    // The positive octaves.
    pwp_sim_octaves pos;
    // The negative octaves.
    pwp_sim_octaves neg;
} pwp_sim_table_info_t;

// One section: the cubic `d0 + d1*t + d2*t*t + d3*t*t*t` with `t = v - x`, and where it stands.
typedef struct {
    // The centre of the section.
    float x;
    // The value at the centre.
    float d0;
    // The coefficient of t.
    float d1;
    // The coefficient of t*t.
    float d2;
    // The coefficient of t*t*t.
    float d3;
    // Which kind of place it is. The fields below are 0 unless it is PWP_SIM_PLACE_OCTAVE.
    pwp_sim_place place;
    // Whether the octave is one of the negative side.
    bool negative;
    // The octave's unbiased exponent, -127 to 128.
    int32_t exponent;
    // The section's index in its octave.
    uint32_t index;
    // The section's number in the table, negative octaves first. Meaningless where the profile does not give the
    // section (it is then all zero).
    uint32_t number;
} pwp_sim_section;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Builds a simulator.
//
// `profile_dir` is a directory of profiles, `<function>_<N>p.json`, read once and whole, on several threads where there
// is enough to read, which end before the call does; or `"builtin:"`, the tables that come with the library; or null
// or `""`, no tables: every call takes the exact path.
//
// `"<dir>#<set>"` is what one load of a set makes resident, the set by name or index, where `<dir>` holds a catalog
// (act_info.json) with its images; `"builtin:trainium#<set>"` and `"builtin:with_ln#<set>"` take the published rosters
// and the embedded tables. Only that set's functions then have tables.
//
// On success `*out` is a new simulator, to be given to pwp_sim_destroy. On failure it is null:
// PWP_SIM_PROFILE_IO where the path does not exist, is no directory, has no profile in it or cannot be read, and where
// `profile_dir` is longer than 4096 bytes; PWP_SIM_PROFILE_FORMAT where a file in it is no valid profile,
// PWP_SIM_NO_MEMORY where there is not enough memory for the tables; pwp_sim_last_error names the file, the field and the
// reason.
//
// The caller vouches that:
// `profile_dir` is null or NUL-terminated; `out` is null (an error) or writable.
pwp_sim_status pwp_sim_create(const char *profile_dir,
                              pwp_sim **out);

// pwp_sim_create with the tier of the table path: one of pwp_sim_tier's names. All tiers give the same bits; this is for
// tests and measurements. PWP_SIM_INVALID_ARGUMENT where `tier` is null or no tier that this CPU has.
//
// The caller vouches that:
// `profile_dir` is null or NUL-terminated, `tier` null (an error) or NUL-terminated; `out` is null (an error) or writable.
pwp_sim_status pwp_sim_create_on_tier(const char *profile_dir,
                                      const char *tier,
                                      pwp_sim **out);

// Frees a simulator. Null is allowed. No call on it may be under way, and none may follow.
//
// The caller vouches that:
// `sim` is null or came from pwp_sim_create and was not destroyed before.
void pwp_sim_destroy(pwp_sim *sim);

// Whether the simulator has tables, so that calls with `use_pwp` take the table path. False for null.
//
// The caller vouches that:
// `sim` is null or a live simulator.
bool pwp_sim_can_use_pwp_table(const pwp_sim *sim);

// Computes `out[i] = f(multiplier * in[i] + addend)` for `count` floats. The product is rounded to float before the
// sum.
//
// THE TRAP. The first float is ADDED and the second MULTIPLIES. The original library declares its two floats as
// `scale, bias` and its machine code does the opposite of those names: it multiplies by the second and adds the
// first. This call keeps the original's order under names that are true. For `exp(0.5f * x - 3.0f)` the addend, -3,
// comes before the multiplier, 0.5:
// `pwp_sim_simulate(sim, "Exp", out, in, -3.0f, 0.5f, 0.0f, n, true)`.
//
// pwp_sim_apply takes the same numbers under their natural names.
//
// `name` is exact and case-sensitive: "Gelu", "Exp". `alpha` is the slope of "Prelu"; nothing else reads it.
// `use_pwp` asks for the table path, which is taken when the simulator has tables ("Prelu" never takes it).
//
// `out` and `in` need no alignment and may overlap in any way: the result is that of a loop over the elements in
// order. A `count` of 0 is a no-op, and then null pointers are fine.
//
// Errors: PWP_SIM_UNSUPPORTED_FUNCTION for an unknown name; PWP_SIM_NO_PROFILE where the table path is due and the
// function has no table; PWP_SIM_UNHANDLED_SECTION where no section covers some inputs: all others are written, those
// become NaN, and pwp_sim_last_error gives their count and the index of the first; PWP_SIM_INVALID_ARGUMENT for null
// pointers, a name that is not UTF-8 and a `count` whose bytes do not fit the address space. Nothing is written on
// any error but PWP_SIM_UNHANDLED_SECTION.
//
// The caller vouches that:
// `sim` is null or live, `name` null or NUL-terminated, `in` readable and `out` writable for `count` floats.
pwp_sim_status pwp_sim_simulate(const pwp_sim *sim,
                                const char *name,
                                float *out,
                                const float *in,
                                float addend,
                                float multiplier,
                                float alpha,
                                size_t count,
                                bool use_pwp);

// Computes `*out = f(x)`, without scaling. `name`, `alpha`, `use_pwp` and the errors are those of pwp_sim_simulate;
// on PWP_SIM_UNHANDLED_SECTION `*out` is NaN.
//
// The caller vouches that:
// `sim` is null or live, `name` null or NUL-terminated, `out` null (an error) or writable.
pwp_sim_status pwp_sim_simulate_scalar(const pwp_sim *sim,
                                       const char *name,
                                       float x,
                                       float alpha,
                                       bool use_pwp,
                                       float *out);

// Computes `out[i] = f(scale * in[i] + bias)` for `count` floats, with no look-up of a name. Null for `affine` means
// scale 1, bias 0, alpha 0 (so that -0 becomes +0 before `f`). Everything else, and the errors, are those of
// pwp_sim_simulate; an integer that is none of the enum's is PWP_SIM_UNSUPPORTED_FUNCTION.
//
// The caller vouches that:
// `sim` is null or live, `affine` null or readable, `in` readable and `out` writable for `count` floats.
pwp_sim_status pwp_sim_apply(const pwp_sim *sim,
                             pwp_sim_function function,
                             const pwp_sim_affine *affine,
                             float *out,
                             const float *in,
                             size_t count,
                             bool use_pwp);

// pwp_sim_apply on several threads, for large buffers and callers without a pool of their own; the same bits and the
// same errors. `threads` is how many may compute at a time; 0 is one a core, and more than that is no more. They are
// threads of the process's, started at the first call that needs them and kept; the child of a fork starts its own. Where
// the system gives no threads, for a small buffer, and for a caller that changed its floating-point environment, the
// calling thread computes alone. No other call computes on a thread that it starts.
//
// Buffers that overlap without being the same, or are not aligned, are computed on the calling thread.
//
// The caller vouches that:
// As pwp_sim_apply.
pwp_sim_status pwp_sim_apply_parallel(const pwp_sim *sim,
                                      pwp_sim_function function,
                                      const pwp_sim_affine *affine,
                                      float *out,
                                      const float *in,
                                      size_t count,
                                      bool use_pwp,
                                      size_t threads);

// pwp_sim_apply for buffers of any element types: `count` elements of `in_type` at `in`, and of `out_type` at `out`.
//
// The engine computes in float whatever its operands are. Inputs are converted to float, which is exact; the scaling and
// the function are those of pwp_sim_apply, bit for bit; and each result is converted once: to the nearest number of
// `out_type`, of two the one with an even mantissa, whatever the rounding mode; beyond the largest to an infinity; to a
// denormal where it is one, whatever the denormal modes; and a NaN, also that of an unhandled input, to a quiet NaN with
// its sign and the upper bits of its payload. With two buffers of floats this is pwp_sim_apply.
//
// `out` and `in` need no alignment and may overlap in any way: the result is that of a loop over the elements in order.
// So a buffer can be converted in place to elements of the same size or of a smaller one. (To larger ones, elements that
// were written are then inputs.) A `count` of 0 is a no-op, and then null pointers are fine.
//
// Errors are those of pwp_sim_apply, and PWP_SIM_INVALID_ARGUMENT for a type that is none of the enum's.
//
// The caller vouches that:
// `sim` is null or live, `affine` null or readable, `in` readable and `out` writable for `count` elements of their types.
pwp_sim_status pwp_sim_apply_typed(const pwp_sim *sim,
                                   pwp_sim_function function,
                                   const pwp_sim_affine *affine,
                                   void *out,
                                   pwp_sim_dtype out_type,
                                   const void *in,
                                   pwp_sim_dtype in_type,
                                   size_t count,
                                   bool use_pwp);

// pwp_sim_apply_typed on several threads; the same bits and the same errors. `threads` and what is computed on the calling
// thread are those of pwp_sim_apply_parallel; in place is on several threads where the types are the same.
//
// The caller vouches that:
// As pwp_sim_apply_typed.
pwp_sim_status pwp_sim_apply_typed_parallel(const pwp_sim *sim,
                                            pwp_sim_function function,
                                            const pwp_sim_affine *affine,
                                            void *out,
                                            pwp_sim_dtype out_type,
                                            const void *in,
                                            pwp_sim_dtype in_type,
                                            size_t count,
                                            bool use_pwp,
                                            size_t threads);

// How many functions there are.
size_t pwp_sim_function_count(void);

// The function of this index, below pwp_sim_function_count, in ascending order of their values. An index past the
// functions is PWP_SIM_INVALID_ARGUMENT; `*out` is then not written.
//
// The caller vouches that:
// `out` is null (an error) or writable.
pwp_sim_status pwp_sim_function_at(size_t index, pwp_sim_function *out);

// Looks up a function by its exact, case-sensitive name. PWP_SIM_UNSUPPORTED_FUNCTION for an unknown one; `*out` is
// then not written.
//
// The caller vouches that:
// `name` is null or NUL-terminated, `out` null (an error) or writable.
pwp_sim_status pwp_sim_function_from_name(const char *name, pwp_sim_function *out);

// Looks up a function by any of its names, in this order: that of pwp_sim_simulate ("Ln"), the profile function ("ln"),
// that of the kernel language ("log"), a profile ("ln_400p", whatever its number). PWP_SIM_UNSUPPORTED_FUNCTION for a name
// that is no function's, and for that of one that catalogs have and no library computes ("is_finite"); `*out` is then not
// written.
//
// The caller vouches that:
// `name` is null or NUL-terminated, `out` null (an error) or writable.
pwp_sim_status pwp_sim_function_from_any_name(const char *name,
                                              pwp_sim_function *out);

// The name of a function, a static string; null for an integer that is none of the enum's.
const char *pwp_sim_function_name(pwp_sim_function function);

// The names and numbers of a function. PWP_SIM_UNSUPPORTED_FUNCTION for an integer that is none of the enum's; `*out` is
// then not written.
//
// The caller vouches that:
// `out` is null (an error) or writable.
pwp_sim_status pwp_sim_function_info(pwp_sim_function function,
                                     pwp_sim_function_info_t *out);

// The published profiles of a function, in ascending order of their budgets: ln has two, Ln_prime none.
//
// `*count` becomes their number; the first `capacity` of them go to `profiles`. Ask with `capacity` 0, and then `profiles`
// may be null, to learn how much room is due. PWP_SIM_UNSUPPORTED_FUNCTION for an integer that is none of the enum's;
// nothing is then written.
//
// The caller vouches that:
// `profiles` is writable for `capacity` values; `count` is null (an error) or writable.
pwp_sim_status pwp_sim_function_profiles(pwp_sim_function function,
                                         pwp_sim_profile_t *profiles,
                                         size_t capacity,
                                         size_t *count);

// The tier that the simulator took when it was created: "scalar", "neon", "avx2" or "avx512", a static
// string. It is the fastest that the CPU has, or what the environment variable PWP_SIM_TIER asked for, if the CPU has
// that; the variable is read at the first pwp_sim_create of the process. All give the same bits. Null for a null simulator.
//
// The caller vouches that:
// `sim` is null or a live simulator.
const char *pwp_sim_tier(const pwp_sim *sim);

// Describes the table of a function. PWP_SIM_NO_PROFILE where it has none.
//
// The caller vouches that:
// `sim` is null or live, `out` null (an error) or writable.
pwp_sim_status pwp_sim_table_info(const pwp_sim *sim, pwp_sim_function function, pwp_sim_table_info_t *out);

// Tells which section of a function's table serves the (scaled) input `v`, after the fold.
// PWP_SIM_NO_PROFILE where the function has no table, PWP_SIM_UNHANDLED_SECTION where no section covers `v`; `*out` is
// then not written.
//
// The caller vouches that:
// `sim` is null or live, `out` null (an error) or writable.
pwp_sim_status pwp_sim_table_section(const pwp_sim *sim, pwp_sim_function function, float v, pwp_sim_section *out);

// The calling thread's last error, as text that names what was wrong and where; empty before the first. Valid until
// the same thread's next failing call. A caller whose tasks move between threads must read it on the thread that made
// the call.
const char *pwp_sim_last_error(void);

// A status in a few words, a static string: "no table for the function". Null for an integer that is none of the enum's.
// What was wrong in a call that failed, pwp_sim_last_error says.
const char *pwp_sim_status_text(pwp_sim_status status);

// The library's version, `major.minor.patch`; a static string.
const char *pwp_sim_version(void);

// Opens a catalog.
//
// `dir_or_roster` is a directory with an `act_info.json`, or `"trainium"` or `"with_ln"` for one of the two published
// rosters, also with `"builtin:"` in front. (A directory of such a name is `"./trainium"`.) Only the `act_info.json` is
// read, not the tables; to compute with those of a set, give `"<directory>#<set>"` or `"builtin:trainium#<set>"` to
// pwp_sim_create.
//
// On success `*out` is a new catalog, to be given to pwp_sim_catalog_close. On failure it is null: PWP_SIM_PROFILE_IO
// where there is no such roster or file, PWP_SIM_PROFILE_FORMAT where the file is no valid catalog, PWP_SIM_NO_MEMORY where
// there is not enough memory for it; pwp_sim_last_error names the file, the field and the reason.
//
// The caller vouches that:
// `dir_or_roster` is null (an error) or NUL-terminated; `out` is null (an error) or writable.
pwp_sim_status pwp_sim_catalog_open(const char *dir_or_roster,
                                    pwp_sim_catalog **out);

// Frees a catalog, and the strings that came from it. Null is allowed. No call on it may be under way, and none may
// follow.
//
// The caller vouches that:
// `catalog` is null or came from pwp_sim_catalog_open and was not closed before.
void pwp_sim_catalog_close(pwp_sim_catalog *catalog);

// How many sets the catalog has; 0 for null. A set's index is below it.
//
// The caller vouches that:
// `catalog` is null or a live catalog.
size_t pwp_sim_catalog_count(const pwp_sim_catalog *catalog);

// The name of a set. The string is the catalog's and lives as long. An index past the sets is
// PWP_SIM_INVALID_ARGUMENT; `*name` is then not written.
//
// The caller vouches that:
// `catalog` is null (an error) or live, `name` null (an error) or writable.
pwp_sim_status pwp_sim_catalog_set_name(const pwp_sim_catalog *catalog, size_t set, const char **name);

// The index of the set of exactly this name. PWP_SIM_INVALID_ARGUMENT where the catalog has none; `*set` is then not
// written.
//
// The caller vouches that:
// `catalog` is null (an error) or live, `name` null (an error) or NUL-terminated, `set` null (an error) or writable.
pwp_sim_status pwp_sim_catalog_set_index(const pwp_sim_catalog *catalog, const char *name, size_t *set);

// How many functions a set holds: the length of its act map. An index past the sets is PWP_SIM_INVALID_ARGUMENT.
//
// The caller vouches that:
// `catalog` is null (an error) or live, `count` null (an error) or writable.
pwp_sim_status pwp_sim_catalog_act_count(const pwp_sim_catalog *catalog, size_t set, size_t *count);

// Entry `index` of a set's act map, in the order of the file: the name of a profile function ("exp"; the string is the
// catalog's and lives as long) and its budget, which is 1 for a hardwired function and above 1 the N of the profile
// `<function>_<N>p`. An index past the sets or past the entries is PWP_SIM_INVALID_ARGUMENT; nothing is then written.
//
// The caller vouches that:
// `catalog` is null (an error) or live, `profile_function` and `budget` null (an error) or writable.
pwp_sim_status pwp_sim_catalog_act(const pwp_sim_catalog *catalog,
                                   size_t set,
                                   size_t index,
                                   const char **profile_function,
                                   uint32_t *budget);

// The sets that hold a function, in ascending order of index.
//
// `function` is a function of the catalog's sets, or else any name of a known one, in this order: that of
// pwp_sim_simulate ("Ln"), the profile function ("ln"), that of the kernel language ("log"), a profile ("ln_400p").
// `*count` becomes the number of sets, 0 where none holds it; the first `capacity` of their indices go to `sets`. Ask
// with `capacity` 0, and then `sets` may be null, to learn how much room is due.
//
// A name that is no function's is PWP_SIM_UNSUPPORTED_FUNCTION; nothing is then written.
//
// The caller vouches that:
// `catalog` is null (an error) or live, `function` null (an error) or NUL-terminated, `sets` writable for `capacity`
// values, `count` null (an error) or writable.
pwp_sim_status pwp_sim_catalog_sets_of(const pwp_sim_catalog *catalog,
                                       const char *function,
                                       size_t *sets,
                                       size_t capacity,
                                       size_t *count);

// The set loads that a list of `n` functions takes, in order: greedy first fit. The functions since the last load stay
// together as long as some set holds them all, and the first such set is the one loaded. An empty list takes none.
//
// `functions` are names as pwp_sim_catalog_sets_of takes them. `*count` becomes the number of loads. For the first
// `capacity` of them, `sets` gets the set's index and `first` the place in the list of the first function that runs on
// it. Ask with `capacity` 0, and then both may be null, to learn how much room is due; `n` is always enough.
//
// A name that is no function's is PWP_SIM_UNSUPPORTED_FUNCTION, a function that no set holds PWP_SIM_NO_PROFILE, and
// pwp_sim_last_error names it; nothing is then written.
//
// The caller vouches that:
// `catalog` is null (an error) or live; `functions` has `n` pointers, each null (an error) or NUL-terminated; `sets`
// and `first` are writable for `capacity` values; `count` is null (an error) or writable.
pwp_sim_status pwp_sim_catalog_sequence(const pwp_sim_catalog *catalog,
                                        const char *const *functions,
                                        size_t n,
                                        size_t *sets,
                                        size_t *first,
                                        size_t capacity,
                                        size_t *count);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* PWP_SIM_H */
