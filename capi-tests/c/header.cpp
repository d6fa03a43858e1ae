// The header on its own, from C++: its calls have C linkage.
#include <pwp_sim.h>

extern "C" const char *pwp_sim_version(void);

pwp_sim_status header_is_usable(const pwp_sim *sim, float *out, const float *in, size_t count);

pwp_sim_status header_is_usable(const pwp_sim *sim, float *out, const float *in, size_t count)
{
    return pwp_sim_simulate(sim, "Exp", out, in, -3.0f, 0.5f, 0.0f, count, true);
}
