// What was timed, as a file of JSON and as a picture of bars.
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include <cstddef>
#include <string>
#include <vector>

// One function on one path, tier and number of elements. Times are in nanoseconds an element.
struct Row {
    std::string function;
    std::string path;
    std::string tier;
    std::string inputs;
    std::size_t elements;
    double ours;
    double reference;
    double ratio;
    double memcpy;
};

// Writes all rows to `path`, with the name of the CPU.
void write_json(std::string const &path, std::vector<Row> const &rows);

// Draws the ratios of the closed forms over many uniform inputs to `path`: a bar for each function and tier.
void write_bars(std::string const &path, std::vector<Row> const &rows);

// What /proc/cpuinfo calls the CPU.
std::string cpu_name();

#endif  // BENCH_REPORT_H
