// evaluate_generic on tables that the client built: the library's evaluator under somebody else's loader.
#include "inputs.h"
#include "outcome.h"
#include "parts.h"

using namespace PWPSim;

namespace {

AFTable a_table(unsigned flags)
{
    AFTable table{};
    table.symmetry_en = (flags & 1) != 0;
    table.symmetry_invert_sign_opt = (flags & 2) != 0;
    table.symmetry_opt_use_neg_region = (flags & 4) != 0;
    table.symmetry_point = 0.375f;
    table.zero_result = -2.5f;
    table.nan_result = 77.0f;
    table.pinf_result = 1e30f;
    table.ninf_result = -1e-30f;
    std::vector<float> const values = random_inputs(4000, 99);
    std::size_t at = 0;
    auto const next = [&] { return values[at += 2, at % values.size() + 1]; };
    auto const section = [&] {
        float const x = next(), d0 = next(), d1 = next(), d2 = next();
        return exponent_sect{x, d0, d1, d2, next()};
    };
    for (auto *side : {&table.pos_region, &table.neg_region}) {
        side->resize(256);
        for (int expo = 120; expo < 134; expo++) {
            pwp_nonsat_region &region = (*side)[static_cast<std::size_t>(expo)];
            region.exponent = expo - 127;
            region.extract_size = expo % 5;
            region.num_sections = 1 << region.extract_size;
            for (int i = 0; i < region.num_sections; i++) {
                region.sections.push_back(section());
            }
        }
    }
    table.pos_high = {133, 0x123456, section()};
    table.neg_high = {134, 0, section()};
    table.pos_low = {120, 0x200000, section()};
    table.neg_low = {119, 0x7fffff, section()};
    return table;
}

std::string refused(Simulator &simulator, AFTable &table, float x)
{
    return refusal([&] { simulator.evaluate_generic(table, x, 0.0f); }, "Unhandled section in simulation");
}

}  // namespace

void part_evaluator()
{
    Simulator exact("");
    Simulator tables("p");
    for (unsigned flags = 0; flags < 8; flags++) {
        AFTable table = a_table(flags);
        std::vector<float> out;
        for (float x : special_inputs()) {
            out.push_back(exact.evaluate_generic(table, x, 0.5f));
        }
        say("own table %u specials %s", flags, text(out).c_str());
        out.clear();
        for (float x : random_inputs(4000, flags)) {
            out.push_back(tables.evaluate_generic(table, x, -1.0f));
        }
        say("own table %u many %016llx", flags, static_cast<unsigned long long>(hash(out)));
    }
    AFTable table = a_table(0);
    table.pos_region[127].num_sections = 0;
    say("an empty octave: %s", refused(exact, table, 1.0f).c_str());
    table = a_table(0);
    table.pos_region[127].extract_size = 24;
    say("too many bits: %s", refused(exact, table, 1.0f).c_str());
    table.pos_region[127].extract_size = -1;
    say("negative bits: %s", refused(exact, table, 1.0f).c_str());
    table = a_table(0);
    table.pos_region[127].num_sections = 100;
    table.pos_region[127].sections.resize(1);
    say("sections that are not there: %s %s", text(exact.evaluate_generic(table, 1.0f, 0.0f)).c_str(),
        refused(exact, table, 1.9f).c_str());
    table.pos_region.resize(100);
    say("octaves that are not there: %s", refused(exact, table, 1.0f).c_str());
    AFTable blank{};
    say("a blank table: %s %s", text(exact.evaluate_generic(blank, 0.0f, 0.0f)).c_str(),
        text(exact.evaluate_generic(blank, 1.0f, 0.0f)).c_str());
}
