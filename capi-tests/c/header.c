/* The header on its own, before anything else is included. */
#include <pwp_sim.h>

/* Twice: the guard holds. */
#include <pwp_sim.h>

pwp_sim_status header_is_usable(const pwp_sim *sim, float *out, const float *in, size_t count);

pwp_sim_status header_is_usable(const pwp_sim *sim, float *out, const float *in, size_t count)
{
    const pwp_sim_affine affine = {0.5f, -3.0f, 0.0f};
    return pwp_sim_apply(sim, PWP_SIM_FUNCTION_EXP, &affine, out, in, count, true);
}
