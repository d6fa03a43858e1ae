// Timing by medians of repeated runs.
#include "timing.h"

#include <algorithm>
#include <chrono>
#include <vector>

namespace {

double seconds(std::function<void()> const &run, long repetitions)
{
    auto const start = std::chrono::steady_clock::now();
    for (long i = 0; i < repetitions; i++) {
        run();
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// How often to run so that it takes `least` seconds.
long repetitions_for(std::function<void()> const &run, double least)
{
    long repetitions = 1;
    for (double taken; (taken = seconds(run, repetitions)) < least; repetitions *= 2) {
        if (taken > least / 16) {
            return static_cast<long>(static_cast<double>(repetitions) * least / taken) + 1;
        }
    }
    return repetitions;
}

double median(std::vector<double> values)
{
    std::nth_element(values.begin(), values.begin() + static_cast<long>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

Timing in_turn(std::function<void()> const &prepare, std::function<void()> const &ours, long our_repetitions,
               std::function<void()> const &reference, long their_repetitions, int rounds)
{
    std::vector<double> our_times, their_times, ratios;
    for (int round = 0; round < rounds; round++) {
        prepare();
        our_times.push_back(seconds(ours, our_repetitions) / static_cast<double>(our_repetitions));
        their_times.push_back(seconds(reference, their_repetitions) / static_cast<double>(their_repetitions));
        ratios.push_back(their_times.back() / our_times.back());
    }
    return {median(our_times), median(their_times), median(ratios)};
}

}  // namespace

Timing time_in_turn(std::function<void()> const &ours, std::function<void()> const &reference, int rounds, double least)
{
    long const our_repetitions = repetitions_for(ours, least);
    long const their_repetitions = repetitions_for(reference, least);
    return in_turn([] {}, ours, our_repetitions, reference, their_repetitions, rounds);
}

Timing time_prepared(std::function<void()> const &prepare, std::function<void()> const &ours,
                     std::function<void()> const &reference, int rounds)
{
    return in_turn(prepare, ours, 1, reference, 1, rounds);
}

double time_alone(std::function<void()> const &run, int rounds, double least)
{
    long const repetitions = repetitions_for(run, least);
    std::vector<double> times;
    for (int round = 0; round < rounds; round++) {
        times.push_back(seconds(run, repetitions) / static_cast<double>(repetitions));
    }
    return median(times);
}
