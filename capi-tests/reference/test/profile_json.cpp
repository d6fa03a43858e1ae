// Writes a profile in the schema of docs/behaviour.md section 3.
#include "profile_json.h"

#include "check.h"

#include <cinttypes>

using namespace PWPSim;

namespace {

// A JSON writer just good enough for profiles: members are appended with their commas already in place.
class Writer {
public:
    explicit Writer(Spelling const &the_spelling) : spelling(the_spelling) {}

    std::string float_box(float value) const
    {
        std::uint32_t const bits = to_bits(value);
        std::int64_t const integer = spelling.signed_ints ? static_cast<std::int64_t>(static_cast<std::int32_t>(bits))
                                                          : static_cast<std::int64_t>(bits);
        char text[256];
        // The decimal `float` is wrong on purpose: nobody may read it.
        std::snprintf(text, sizeof text,
                      "{\"float\": 12345.0, \"int\": %" PRId64 ", \"hexstring\": \"0x%08x\", \"sign\": %u, "
                      "\"exponent\": %u, \"mantissa\": %u}",
                      integer, bits, bits >> 31, (bits >> 23) & 255u, bits & 0x7fffffu);
        return text;
    }

    std::string section_members(exponent_sect const &section) const
    {
        return "\"x\": " + float_box(section.x) + ", \"d0\": " + float_box(section.d0) + ", \"d1\": "
               + float_box(section.d1) + ", \"d2\": " + float_box(section.d2) + ", \"d3\": " + float_box(section.d3);
    }

    std::string saturation_point(pwp_sat_region const &region) const
    {
        std::string const members = section_members(region.section);
        return "{\"sat_point\": " + std::to_string(region.sat_point)
               + ", \"mantissa_point\": " + std::to_string(region.mantissa_point) + ", "
               + (spelling.nested_sections ? "\"section\": {" + members + "}" : members) + "}";
    }

    std::string regions(std::vector<pwp_nonsat_region> const &list) const
    {
        std::string text = "[";
        for (pwp_nonsat_region const &region : list) {
            text += text.size() > 1 ? ",\n" : "\n";
            text += "{\"exponent\": " + std::to_string(region.exponent)
                    + ", \"num_sections\": " + std::to_string(region.num_sections)
                    + ", \"extract_size\": " + std::to_string(region.extract_size) + ", \"exponent_sections\": [";
            bool first = true;
            for (exponent_sect const &section : region.sections) {
                text += first ? "{" : ",\n{";
                text += section_members(section) + "}";
                first = false;
            }
            text += "]}";
        }
        return text + "]";
    }

    std::string flag(bool value) const
    {
        if (spelling.numeric_flags) {
            return value ? "1" : "0";
        }
        return value ? "true" : "false";
    }

private:
    Spelling const &spelling;
};

}  // namespace

std::string profile_json(AFTable const &profile, Spelling const &spelling)
{
    Writer const writer(spelling);
    return "{\"lut_size\": 1,\n\"symmetry_en\": " + writer.flag(profile.symmetry_en)
           + ",\n\"symmetry_invert_sign_opt\": " + writer.flag(profile.symmetry_invert_sign_opt)
           + ",\n\"symmetry_opt_use_neg_region\": " + writer.flag(profile.symmetry_opt_use_neg_region)
           + ",\n\"symmetry_point\": " + writer.float_box(profile.symmetry_point)
           + ",\n\"zero_result\": " + writer.float_box(profile.zero_result)
           + ",\n\"nan_result\": " + writer.float_box(profile.nan_result)
           + ",\n\"pinf_result\": " + writer.float_box(profile.pinf_result)
           + ",\n\"ninf_result\": " + writer.float_box(profile.ninf_result)
           + ",\n\"pos_exponents\": " + writer.regions(profile.pos_region)
           + ",\n\"neg_exponents\": " + writer.regions(profile.neg_region)
           + ",\n\"saturation_points\": {\"sat_point_pos_high\": " + writer.saturation_point(profile.pos_high)
           + ",\n\"sat_point_pos_low\": " + writer.saturation_point(profile.pos_low)
           + ",\n\"sat_point_neg_high\": " + writer.saturation_point(profile.neg_high)
           + ",\n\"sat_point_neg_low\": " + writer.saturation_point(profile.neg_low) + "}}\n";
}
