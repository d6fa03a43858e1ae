// What the Rust side calls. All text is UTF-8 or whatever the library says, and ends with a NUL.
#ifndef PWP_FOREIGN_H
#define PWP_FOREIGN_H

#include <cstddef>

extern "C" {

struct pwp_foreign;

// What a call gave.
enum pwp_foreign_result {
    PWP_FOREIGN_OK = 0,
    // The library said that it cannot: an exception, or a status that is not 0. `message` has its words.
    PWP_FOREIGN_REFUSED = 1,
    // The C API's PWP_SIM_UNHANDLED_SECTION: every output was written, the unhandled ones are NaN.
    PWP_FOREIGN_UNHANDLED = 2,
};

// Opens the library at `path` and a simulator of `profiles`: by the C API where `constructor` is null, else by these two
// mangled symbols. Null, with the reason in `message`, where that fails.
pwp_foreign *pwp_foreign_open(char const *path, char const *constructor, char const *simulate, char const *profiles,
                              char *message, size_t capacity);

// f(multiplier * in[i] + addend) for `count` floats.
int pwp_foreign_simulate(pwp_foreign *library, char const *name, float *out, float const *in, float addend,
                         float multiplier, float alpha, size_t count, bool use_pwp, char *message, size_t capacity);

// Has the kernel end this process when the one that started it ends (Linux).
void pwp_foreign_end_with_parent(void);

}

#endif  // PWP_FOREIGN_H
