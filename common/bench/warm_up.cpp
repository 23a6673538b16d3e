#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/runner.hpp"

namespace nbody::bench {
namespace {

constexpr double least_after_slow_start = 0.1;  // s: starting costs vary by some ms
constexpr double starts_in_lever = 8;           // so that starting is a small part of a request
constexpr double longest_lever = 16;            // of the wanted time; no start takes that long
constexpr double most_interactions = 1e14;      // per second; far beyond any machine

constexpr double long_step_after_slow_start = 20;

}  // namespace

bool Runner::steps_are_long() const {
  return evaluation_seconds_ >
         (plan_.starts_slowly ? long_step_after_slow_start : plan_.long_step_s);
}

// Time grows as n^2 at most: how long it takes is known before minutes are spent.
void Runner::estimate_evaluation() {
  constexpr std::size_t fewest = 1000;  // with fewer it says nothing
  constexpr double soon = 2;            // s
  const auto times = [](double factor) { return factor * factor; };
  for (const std::size_t divisor : {64, 8}) {
    const std::size_t n = plan_.n / divisor;
    if (n < fewest) continue;
    if (evaluation_seconds_ / times(static_cast<double>(divisor)) > soon) break;
    const double first = seconds_for(0, n);  // may include one-time costs
    const double seconds = first > soon ? first : std::min(first, seconds_for(0, n));
    evaluation_seconds_ = seconds * times(static_cast<double>(plan_.n) / static_cast<double>(n));
  }
}

Runner::Lever Runner::lever(double without_steps) {
  const double wanted = std::max(plan_.seconds, plan_.starts_slowly ? least_after_slow_start : 0);
  auto lengths = lengths_around(steps_);
  std::sort(lengths.begin(), lengths.end());
  const double seconds = seconds_for(lengths[2]) - seconds_for(lengths[0]);
  const double step = seconds / static_cast<double>(lengths[2] - lengths[0]);
  const double least =
      std::min(std::max(wanted, starts_in_lever * (without_steps - step)), longest_lever * wanted);
  return {seconds / least, least};
}

// A disturbance makes a few steps look long, and with too few steps no line is straight: so they
// must be long enough by far, or twice in a row.
void Runner::grow_steps(double without_steps) {
  constexpr double some = 0.1, few = 4, enough = 1.2;
  const double n = static_cast<double>(plan_.n);
  steps_ = 1;
  for (;;) {
    Lever now = lever(without_steps);
    if (now.part >= 1 && now.part < 2) now = lever(without_steps);
    if (now.part >= 1) {
      round_seconds_ = 3 * now.part * now.least;
      break;
    }
    const double factor = now.part > some ? enough / now.part : few;
    steps_ = static_cast<std::uint64_t>(std::ceil(static_cast<double>(steps_) * factor));
    if (n * n * static_cast<double>(steps_) < most_interactions * now.least) continue;
    note_missed_pulls();
    result_.fault = result_.wrong.empty() ? fmt::format("{} steps take no measurable time", steps_)
                                          : "WRONG: " + result_.wrong;
    return;
  }
}

void Runner::choose_steps() {
  guarded([&] {
    estimate_evaluation();
    if (!steps_are_long()) {
      seconds_for(0);
      const double without_steps = std::min(seconds_for(0), seconds_for(0));
      evaluation_seconds_ = without_steps;
      if (!steps_are_long()) return grow_steps(without_steps);
    }
    single_ = true;
    round_seconds_ = 2 * evaluation_seconds_;
  });
}

int Runner::affordable(int rounds) const {
  if (!single_) return rounds;
  return std::clamp(static_cast<int>(plan_.longest_s / round_seconds_), 1, rounds);
}

}  // namespace nbody::bench
