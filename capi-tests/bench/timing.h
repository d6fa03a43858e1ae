// Two things timed in turn, so that a machine whose speed drifts drifts for both.
#ifndef BENCH_TIMING_H
#define BENCH_TIMING_H

#include <functional>

// Seconds of one run each, and the ratio of the reference's to ours: the medians over the rounds.
struct Timing {
    double ours;
    double reference;
    double ratio;
};

// Times `ours` and `reference` in turn for `rounds` rounds. Each is repeated within a round until it takes `least`
// seconds, the number of repetitions found once beforehand.
Timing time_in_turn(std::function<void()> const &ours, std::function<void()> const &reference, int rounds,
                    double least);

// As time_in_turn for runs that cannot be repeated without `prepare`, which is not timed.
Timing time_prepared(std::function<void()> const &prepare, std::function<void()> const &ours,
                     std::function<void()> const &reference, int rounds);

// Seconds of one run: the median over the rounds.
double time_alone(std::function<void()> const &run, int rounds, double least);

#endif  // BENCH_TIMING_H
