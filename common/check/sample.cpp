#include "check/sample.hpp"

#include <algorithm>
#include <tuple>

#include "check/fitters.hpp"
#include "check/hypotheses.hpp"

namespace nbody::check {
namespace {

constexpr std::size_t few = 3;
constexpr double most_work = 2e8;  // pairs of bodies: a few seconds
constexpr double of_fitters = 20;  // sums over all pairs, or as much

// Evenly spread ones.
void take(const std::vector<const Failure*>& from, std::size_t count,
          std::vector<const Failure*>& sample) {
  const std::size_t step = std::max<std::size_t>(1, from.size() / count);
  for (std::size_t k = 0; k < from.size() && k / step < count; k += step) {
    sample.push_back(from[k]);
  }
}

// What needs many bodies shows as well in the cases that cost least. In those in which nothing can
// be fitted it hardly shows.
void take_cheapest(std::vector<const Failure*> from, std::vector<const Failure*>& sample) {
  std::stable_sort(from.begin(), from.end(), [](const Failure* a, const Failure* b) {
    const auto cost = [](const Case& test) {
      return std::tuple(test.n() > most_fitted, test.n() > most_bodies, work_of(test));
    };
    return cost(*a->test) < cost(*b->test);
  });
  from.resize(std::min(from.size(), sample_size));
  sample.insert(sample.end(), from.begin(), from.end());
}

// How many programs are run on so many bodies.
double programs_for(std::size_t n) {
  double programs = 0;
  for (const Mistake& mistake : mistakes()) {
    const std::size_t most = mistake.any_width ? most_bodies : quick_bodies;
    if (mistake.fitted != nullptr || n > most) continue;
    programs += mistake.any_width ? static_cast<double>(std::size(widths)) : 1;
  }
  return programs;
}

}  // namespace

double work_of(const Case& test) {
  const auto n = static_cast<double>(test.n());
  const auto steps = static_cast<double>(test.request.steps + 1);
  const double runs = test.request.steps > most_steps ? 0 : steps * programs_for(test.n());
  return n * n * (runs + (test.n() > most_fitted ? 0 : of_fitters));
}

// Few bodies tell most, and a wrong program runs quickly on them; a mistake that needs more is
// looked for in the smallest cases that fail, and in larger ones. A few cases of steps in one go
// tell apart what single steps cannot.
std::vector<const Failure*> sample_of(const std::vector<const Failure*>& failures) {
  std::vector<const Failure*> usual, in_one_go, larger, smaller, sample;
  for (const Failure* failure : failures) {
    const std::size_t n = failure->test->n();
    (n < enough_bodies              ? smaller
     : n > quick_bodies             ? larger
     : is_in_one_go(*failure->test) ? in_one_go
                                    : usual)
        .push_back(failure);
  }
  take(usual, sample_size, sample);
  take(in_one_go, usual.empty() ? sample_size : few, sample);
  if (sample.empty()) {
    take_cheapest(larger, sample);
  } else {
    std::erase_if(larger, [](const Failure* one) { return one->test->n() > most_bodies; });
    take(larger, few - 1, sample);
  }
  if (sample.empty()) take(smaller, sample_size, sample);
  double work = 0;
  const auto end = std::find_if(sample.begin(), sample.end(), [&](const Failure* failure) {
    work += work_of(*failure->test);
    return work > most_work;
  });
  if (!sample.empty()) sample.erase(std::max(end, sample.begin() + 1), sample.end());
  return sample;
}

}  // namespace nbody::check
