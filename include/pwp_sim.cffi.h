/* The declarations of pwp_sim.h, as C99 sees them, for cffi and its like. Made by `make header`; do not edit. */
enum pwp_sim_status
 {
    PWP_SIM_OK = 0,
    PWP_SIM_INVALID_ARGUMENT = 1,
    PWP_SIM_UNSUPPORTED_FUNCTION = 2,
    PWP_SIM_PROFILE_IO = 3,
    PWP_SIM_PROFILE_FORMAT = 4,
    PWP_SIM_NO_PROFILE = 5,
    PWP_SIM_UNHANDLED_SECTION = 6,
    PWP_SIM_INTERNAL = 7,
    PWP_SIM_NO_MEMORY = 8,
};
typedef int32_t pwp_sim_status;
enum pwp_sim_class
 {
    PWP_SIM_CLASS_CLOSED_FORM = 0,
    PWP_SIM_CLASS_HARDWIRED = 1,
    PWP_SIM_CLASS_TABLE = 2,
};
typedef int32_t pwp_sim_class;
enum pwp_sim_place
 {
    PWP_SIM_PLACE_POS_HIGH = 0,
    PWP_SIM_PLACE_POS_LOW = 1,
    PWP_SIM_PLACE_NEG_HIGH = 2,
    PWP_SIM_PLACE_NEG_LOW = 3,
    PWP_SIM_PLACE_OCTAVE = 4,
    PWP_SIM_PLACE_SPECIAL = 5,
};
typedef int32_t pwp_sim_place;
enum pwp_sim_function
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
typedef int32_t pwp_sim_function;
enum pwp_sim_dtype
 {
    PWP_SIM_DTYPE_F32 = 0,
    PWP_SIM_DTYPE_F16 = 1,
    PWP_SIM_DTYPE_BF16 = 2,
};
typedef int32_t pwp_sim_dtype;
typedef struct pwp_sim pwp_sim;
typedef struct pwp_sim_catalog pwp_sim_catalog;
typedef struct {
    float scale;
    float bias;
    float alpha;
} pwp_sim_affine;
typedef struct {
    const char *name;
    const char *profile;
    const char *profile_name;
    const char *front_end;
    pwp_sim_function function;
    pwp_sim_class function_class;
    int32_t bir;
    int32_t neuron_id;
    uint32_t budget;
    int32_t published_sections;
} pwp_sim_function_info_t;
typedef struct {
    uint32_t budget;
    uint32_t sections;
    uint32_t octaves;
} pwp_sim_profile_t;
typedef struct {
    int32_t sat_point;
    int32_t mantissa_point;
    float x;
    float d0;
    float d1;
    float d2;
    float d3;
} pwp_sim_clamp;
typedef struct {
    uint32_t count;
    int32_t first;
    int32_t last;
} pwp_sim_octaves;
typedef struct {
    bool symmetry_en;
    bool symmetry_invert_sign_opt;
    bool symmetry_opt_use_neg_region;
    float symmetry_point;
    float zero_result;
    float nan_result;
    float pinf_result;
    float ninf_result;
    pwp_sim_clamp pos_high;
    pwp_sim_clamp pos_low;
    pwp_sim_clamp neg_high;
    pwp_sim_clamp neg_low;
    uint32_t num_sections;
    pwp_sim_octaves pos;
    pwp_sim_octaves neg;
} pwp_sim_table_info_t;
typedef struct {
    float x;
    float d0;
    float d1;
    float d2;
    float d3;
    pwp_sim_place place;
    bool negative;
    int32_t exponent;
    uint32_t index;
    uint32_t number;
} pwp_sim_section;
pwp_sim_status pwp_sim_create(const char *profile_dir,
                              pwp_sim **out);
pwp_sim_status pwp_sim_create_on_tier(const char *profile_dir,
                                      const char *tier,
                                      pwp_sim **out);
void pwp_sim_destroy(pwp_sim *sim);
bool pwp_sim_can_use_pwp_table(const pwp_sim *sim);
pwp_sim_status pwp_sim_simulate(const pwp_sim *sim,
                                const char *name,
                                float *out,
                                const float *in,
                                float addend,
                                float multiplier,
                                float alpha,
                                size_t count,
                                bool use_pwp);
pwp_sim_status pwp_sim_simulate_scalar(const pwp_sim *sim,
                                       const char *name,
                                       float x,
                                       float alpha,
                                       bool use_pwp,
                                       float *out);
pwp_sim_status pwp_sim_apply(const pwp_sim *sim,
                             pwp_sim_function function,
                             const pwp_sim_affine *affine,
                             float *out,
                             const float *in,
                             size_t count,
                             bool use_pwp);
pwp_sim_status pwp_sim_apply_parallel(const pwp_sim *sim,
                                      pwp_sim_function function,
                                      const pwp_sim_affine *affine,
                                      float *out,
                                      const float *in,
                                      size_t count,
                                      bool use_pwp,
                                      size_t threads);
pwp_sim_status pwp_sim_apply_typed(const pwp_sim *sim,
                                   pwp_sim_function function,
                                   const pwp_sim_affine *affine,
                                   void *out,
                                   pwp_sim_dtype out_type,
                                   const void *in,
                                   pwp_sim_dtype in_type,
                                   size_t count,
                                   bool use_pwp);
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
size_t pwp_sim_function_count(void);
pwp_sim_status pwp_sim_function_at(size_t index, pwp_sim_function *out);
pwp_sim_status pwp_sim_function_from_name(const char *name, pwp_sim_function *out);
pwp_sim_status pwp_sim_function_from_any_name(const char *name,
                                              pwp_sim_function *out);
const char *pwp_sim_function_name(pwp_sim_function function);
pwp_sim_status pwp_sim_function_info(pwp_sim_function function,
                                     pwp_sim_function_info_t *out);
pwp_sim_status pwp_sim_function_profiles(pwp_sim_function function,
                                         pwp_sim_profile_t *profiles,
                                         size_t capacity,
                                         size_t *count);
const char *pwp_sim_tier(const pwp_sim *sim);
pwp_sim_status pwp_sim_table_info(const pwp_sim *sim, pwp_sim_function function, pwp_sim_table_info_t *out);
pwp_sim_status pwp_sim_table_section(const pwp_sim *sim, pwp_sim_function function, float v, pwp_sim_section *out);
const char *pwp_sim_last_error(void);
const char *pwp_sim_status_text(pwp_sim_status status);
const char *pwp_sim_version(void);
pwp_sim_status pwp_sim_catalog_open(const char *dir_or_roster,
                                    pwp_sim_catalog **out);
void pwp_sim_catalog_close(pwp_sim_catalog *catalog);
size_t pwp_sim_catalog_count(const pwp_sim_catalog *catalog);
pwp_sim_status pwp_sim_catalog_set_name(const pwp_sim_catalog *catalog, size_t set, const char **name);
pwp_sim_status pwp_sim_catalog_set_index(const pwp_sim_catalog *catalog, const char *name, size_t *set);
pwp_sim_status pwp_sim_catalog_act_count(const pwp_sim_catalog *catalog, size_t set, size_t *count);
pwp_sim_status pwp_sim_catalog_act(const pwp_sim_catalog *catalog,
                                   size_t set,
                                   size_t index,
                                   const char **profile_function,
                                   uint32_t *budget);
pwp_sim_status pwp_sim_catalog_sets_of(const pwp_sim_catalog *catalog,
                                       const char *function,
                                       size_t *sets,
                                       size_t capacity,
                                       size_t *count);
pwp_sim_status pwp_sim_catalog_sequence(const pwp_sim_catalog *catalog,
                                        const char *const *functions,
                                        size_t n,
                                        size_t *sets,
                                        size_t *first,
                                        size_t capacity,
                                        size_t *count);
