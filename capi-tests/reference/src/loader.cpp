// Reads a profile file, JSON by json-c, into a table in the layout of the public header.
// Behaviour: docs/behaviour.md section 3 (the keys, the float box, the fill of the octaves).
//
// This is the reference for profiles that are valid. One that is not aborts, as the original does; the size and depth
// limits that the project's own loader has are not this one's business.
#include "loader.h"

#include <json.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>

// The assertion below is the library's behaviour, not a debugging aid: it stays in every build.
#undef NDEBUG
#include <cassert>

namespace PWPSim {

namespace {

constexpr std::size_t SLOTS = 256;
constexpr int EXPONENT_BIAS = 127;
constexpr int MAX_SECTIONS = 1 << 23;
constexpr int MAX_NESTING = 64;

void require(bool ok)
{
    assert(ok && "Failed to parse pwp file");
}

// The value of `key`, null where the key is absent.
json_object *find(json_object *object, char const *key)
{
    json_object *value = nullptr;
    json_object_object_get_ex(object, key, &value);
    return value;
}

json_object *get_object(json_object *object, char const *key)
{
    json_object *const value = find(object, key);
    require(json_object_is_type(value, json_type_object));
    return value;
}

std::int64_t get_integer(json_object *object, char const *key, std::int64_t first, std::int64_t last)
{
    json_object *const value = find(object, key);
    require(json_object_is_type(value, json_type_int));
    std::int64_t const integer = json_object_get_int64(value);
    require(first <= integer && integer <= last);
    return integer;
}

int get_int(json_object *object, char const *key, int first, int last)
{
    return static_cast<int>(get_integer(object, key, first, last));
}

// A flag is a bool, or 0 or 1.
bool get_flag(json_object *object, char const *key)
{
    json_object *const value = find(object, key);
    if (json_object_is_type(value, json_type_boolean)) {
        return json_object_get_boolean(value) != 0;
    }
    return get_int(object, key, 0, 1) != 0;
}

// A float box: the float is the bit pattern in `int`, signed or unsigned. Its decimal `float` is lossy.
float get_float(json_object *object, char const *key)
{
    std::int64_t const integer = get_integer(get_object(object, key), "int", INT32_MIN, UINT32_MAX);
    std::uint32_t const bits = static_cast<std::uint32_t>(integer);
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

exponent_sect read_section(json_object *object)
{
    exponent_sect section{};
    section.x = get_float(object, "x");
    section.d0 = get_float(object, "d0");
    section.d1 = get_float(object, "d1");
    section.d2 = get_float(object, "d2");
    section.d3 = get_float(object, "d3");
    return section;
}

// The section's boxes are inline, or under `section`.
pwp_sat_region read_saturation_point(json_object *points, char const *key)
{
    json_object *const object = get_object(points, key);
    pwp_sat_region region{};
    region.sat_point = get_int(object, "sat_point", INT32_MIN, INT32_MAX);
    region.mantissa_point = get_int(object, "mantissa_point", INT32_MIN, INT32_MAX);
    bool const nested = json_object_object_get_ex(object, "section", nullptr) != 0;
    region.section = read_section(nested ? get_object(object, "section") : object);
    return region;
}

// Sections that the array does not give stay zero.
pwp_nonsat_region read_region(json_object *object)
{
    pwp_nonsat_region region{};
    region.exponent = get_int(object, "exponent", -EXPONENT_BIAS, 128);
    region.num_sections = get_int(object, "num_sections", 0, MAX_SECTIONS);
    region.extract_size = get_int(object, "extract_size", 0, 23);
    region.sections.resize(static_cast<std::size_t>(region.num_sections));

    json_object *const sections = find(object, "exponent_sections");
    require(json_object_is_type(sections, json_type_array));
    std::size_t const count = json_object_array_length(sections);
    require(count <= region.sections.size());
    for (std::size_t i = 0; i < count; i++) {
        json_object *const section = json_object_array_get_idx(sections, i);
        require(json_object_is_type(section, json_type_object));
        region.sections[i] = read_section(section);
    }
    return region;
}

// 256 slots by biased exponent. Of two regions with one exponent the last counts.
std::vector<pwp_nonsat_region> read_regions(json_object *profile, char const *key)
{
    std::vector<pwp_nonsat_region> slots(SLOTS);
    if (!json_object_object_get_ex(profile, key, nullptr)) {
        return slots;
    }
    json_object *const regions = find(profile, key);
    require(json_object_is_type(regions, json_type_array));
    std::size_t const count = json_object_array_length(regions);
    for (std::size_t i = 0; i < count; i++) {
        json_object *const object = json_object_array_get_idx(regions, i);
        require(json_object_is_type(object, json_type_object));
        pwp_nonsat_region const region = read_region(object);
        slots[static_cast<std::size_t>(region.exponent + EXPONENT_BIAS)] = region;
    }
    return slots;
}

AFTable read_table(json_object *profile)
{
    AFTable table{};
    table.symmetry_en = get_flag(profile, "symmetry_en");
    table.symmetry_invert_sign_opt = get_flag(profile, "symmetry_invert_sign_opt");
    table.symmetry_opt_use_neg_region = get_flag(profile, "symmetry_opt_use_neg_region");
    table.symmetry_point = get_float(profile, "symmetry_point");
    table.zero_result = get_float(profile, "zero_result");
    table.nan_result = get_float(profile, "nan_result");
    table.pinf_result = get_float(profile, "pinf_result");
    table.ninf_result = get_float(profile, "ninf_result");
    table.pos_region = read_regions(profile, "pos_exponents");
    table.neg_region = read_regions(profile, "neg_exponents");
    json_object *const points = get_object(profile, "saturation_points");
    table.pos_high = read_saturation_point(points, "sat_point_pos_high");
    table.pos_low = read_saturation_point(points, "sat_point_pos_low");
    table.neg_high = read_saturation_point(points, "sat_point_neg_high");
    table.neg_low = read_saturation_point(points, "sat_point_neg_low");
    return table;
}

// The document, to be released by json_object_put(). A UTF-8 byte order mark is skipped.
json_object *parse_file(std::string const &file)
{
    std::ifstream stream(file, std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    if (text.compare(0, 3, "\xef\xbb\xbf") == 0) {
        text.erase(0, 3);
    }
    json_tokener *const tokener = json_tokener_new_ex(MAX_NESTING + 1);
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT);
    json_object *const document = json_tokener_parse_ex(tokener, text.c_str(), static_cast<int>(text.size()));
    json_tokener_free(tokener);
    return document;
}

}  // namespace

AFTable load_table(std::string const &file)
{
    if (DEBUG != 0) {
        std::cerr << "PWPSim: loading " << file << '\n';
    }
    json_object *const profile = parse_file(file);
    require(json_object_is_type(profile, json_type_object));
    AFTable const table = read_table(profile);
    json_object_put(profile);
    if (DEBUG != 0) {
        std::cerr << "PWPSim: loaded " << file << '\n';
    }
    return table;
}

}  // namespace PWPSim
