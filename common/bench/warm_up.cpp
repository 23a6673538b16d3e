#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/runner.hpp"

namespace nbody::bench {
namespace {

constexpr double least_after_slow_start = 0.1;  // s: starting costs vary by some ms
constexpr double longest_lever = 16;            // of the wanted time; no start takes that long
constexpr double most_interactions = 1e14;      // per second; far beyond any machine
constexpr double soon = 2;                      // s that may be spent several times
constexpr double much_longer = 20;              // s: however slowly a request starts

}  // namespace

// Time grows as n^2 at most: how long it takes is known before minutes are spent.
void Runner::estimate_evaluation() {
  constexpr std::size_t fewest = 1000;  // with fewer it says nothing
  const auto squared = [](double factor) { return factor * factor; };
  for (const std::size_t divisor : {64, 8}) {
    const std::size_t n = row_.n / divisor;
    if (n < fewest) continue;
    if (evaluation_seconds_ / squared(static_cast<double>(divisor)) > soon) break;
    const double first = seconds_for(0, n);  // may include one-time costs
    const double seconds = first > soon ? first : std::min(first, seconds_for(0, n));
    evaluation_seconds_ = seconds * squared(static_cast<double>(row_.n) / static_cast<double>(n));
  }
}

// A round is one request of one step, of which the start is a small part, or known.
void Runner::measure_one_by_one() {
  if (row_.starts_slowly && evaluation_seconds_ < much_longer) {
    const double step = seconds_for(1) - evaluation_seconds_;
    start_seconds_ = std::max(0.0, evaluation_seconds_ - step);
  }
  single_ = true;
  const double round_s = 2 * evaluation_seconds_;
  rounds_ = std::clamp(static_cast<int>(plan_.longest_s / round_s), 1, plan_.rounds);
}

Runner::Lever Runner::lever(double without_steps) {
  const double wanted = std::max(plan_.seconds, row_.starts_slowly ? least_after_slow_start : 0);
  auto lengths = lengths_around(steps_);
  std::sort(lengths.begin(), lengths.end());
  const double seconds = seconds_for(lengths[2]) - seconds_for(lengths[0]);
  const double step = seconds / static_cast<double>(lengths[2] - lengths[0]);
  const double least =
      std::min(std::max(wanted, plan_.starts * (without_steps - step)), longest_lever * wanted);
  return {seconds / least, least};
}

// A disturbance makes a few steps look long, and with too few steps no line is straight: so they
// must be long enough by far, or twice in a row. No other programs disturb an accelerator.
void Runner::grow_steps(double without_steps) {
  constexpr double some = 0.05, few = 4, enough = 1.2;
  const double n = static_cast<double>(row_.n);
  steps_ = 1;
  for (;;) {
    Lever now = lever(without_steps);
    if (!row_.starts_slowly && now.part >= 1 && now.part < 2) now = lever(without_steps);
    if (now.part >= 1) return;
    const double factor = now.part > some ? enough / now.part : few;
    steps_ = static_cast<std::uint64_t>(std::ceil(static_cast<double>(steps_) * factor));
    if (n * n * static_cast<double>(steps_) < most_interactions * now.least) continue;
    result_.fault = fmt::format("{} steps take no measurable time", steps_);
    if (!result_.wrong.empty()) result_.outcome = NoNumbers::wrong;
    return;
  }
}

void Runner::choose_steps() {
  guarded([&] {
    const double long_step = row_.starts_slowly ? soon : plan_.long_step_s;
    estimate_evaluation();
    if (evaluation_seconds_ > (row_.starts_slowly ? much_longer : long_step)) {
      return measure_one_by_one();
    }
    evaluation_seconds_ = seconds_for(0);  // may include one-time costs
    if (evaluation_seconds_ < soon) {
      evaluation_seconds_ = std::min(seconds_for(0), seconds_for(0));
    }
    if (evaluation_seconds_ > long_step) return measure_one_by_one();
    grow_steps(evaluation_seconds_);
  });
}

}  // namespace nbody::bench
