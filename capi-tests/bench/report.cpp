// JSON and SVG by hand: numbers, and names without anything to escape but a quote.
#include "report.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <stdexcept>

namespace {

std::string number(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.3f", value);
    return text;
}

std::ofstream opened(std::string const &path)
{
    std::ofstream file(path);
    if (!file) {
        throw std::runtime_error(path + ": cannot be written");
    }
    return file;
}

void closed(std::ofstream &file, std::string const &path)
{
    file.close();
    if (!file) {
        throw std::runtime_error(path + ": could not be written in whole");
    }
}

char const *colour(std::string const &tier)
{
    return tier == "scalar" ? "#9aa5b1" : tier == "avx2" ? "#4f8fc0" : "#1f4e79";
}

}  // namespace

std::string cpu_name()
{
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        std::size_t const colon = line.find(": ");
        if (line.rfind("model name", 0) == 0 && colon != std::string::npos) {
            std::string name = line.substr(colon + 2);
            name.erase(std::remove_if(name.begin(), name.end(), [](char c) { return c == '"' || c == '\\'; }), name.end());
            return name;
        }
    }
    return "unknown";
}

void write_json(std::string const &path, std::vector<Row> const &rows)
{
    std::ofstream file = opened(path);
    file << "{\n  \"cpu\": \"" << cpu_name() << "\",\n  \"unit\": \"ns an element\",\n  \"rows\": [";
    char const *separator = "\n";
    for (Row const &row : rows) {
        file << separator << "    {\"function\": \"" << row.function << "\", \"path\": \"" << row.path
             << "\", \"tier\": \"" << row.tier << "\", \"inputs\": \"" << row.inputs
             << "\", \"elements\": " << row.elements << ", \"ours\": " << number(row.ours)
             << ", \"reference\": " << number(row.reference) << ", \"ratio\": " << number(row.ratio)
             << ", \"share_of_memcpy\": " << number(row.memcpy / row.ours) << "}";
        separator = ",\n";
    }
    file << "\n  ]\n}\n";
    closed(file, path);
}

void write_bars(std::string const &path, std::vector<Row> const &rows)
{
    std::vector<Row> bars;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(bars),
                 [](Row const &row) { return row.path == "exact" && row.inputs == "uniform"; });
    std::stable_sort(bars.begin(), bars.end(), [](Row const &a, Row const &b) { return a.function < b.function; });
    double longest = 1;
    for (Row const &row : bars) {
        longest = std::max(longest, row.ratio);
    }
    constexpr int NAMES = 220, BARS = 520, HEIGHT = 9, TOP = 44, GAP = 6;
    std::string body, before;
    int y = TOP;
    for (Row const &row : bars) {
        if (row.function != before) {
            y += before.empty() ? 0 : GAP;
            body += "<text x=\"" + std::to_string(NAMES - 8) + "\" y=\"" + std::to_string(y + HEIGHT) +
                    "\" text-anchor=\"end\">" + row.function + "</text>\n";
            before = row.function;
        }
        double const width = BARS * row.ratio / longest;
        body += "<rect x=\"" + std::to_string(NAMES) + "\" y=\"" + std::to_string(y) + "\" width=\"" + number(width) +
                "\" height=\"" + std::to_string(HEIGHT - 1) + "\" fill=\"" + colour(row.tier) + "\"/>\n<text x=\"" +
                number(NAMES + width + 4) + "\" y=\"" + std::to_string(y + HEIGHT - 1) + "\">" +
                number(row.ratio).substr(0, number(row.ratio).size() - 2) + "</text>\n";
        y += HEIGHT;
    }
    std::ofstream file = opened(path);
    file << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << NAMES + BARS + 60 << "\" height=\"" << y + 12
         << "\" font-family=\"sans-serif\" font-size=\"9\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
         << "<text x=\"8\" y=\"16\" font-size=\"12\">Closed forms: times the reference's speed, 65,536 elements uniform in "
            "[-10, 10]</text>\n<text x=\"8\" y=\"32\">"
         << cpu_name() << "</text>\n";
    int x = NAMES;
    for (char const *tier : {"scalar", "avx2", "avx512"}) {
        file << "<rect x=\"" << x << "\" y=\"24\" width=\"9\" height=\"9\" fill=\"" << colour(tier) << "\"/><text x=\""
             << x + 13 << "\" y=\"32\">" << tier << "</text>\n";
        x += 70;
    }
    file << body << "</svg>\n";
    closed(file, path);
}
