#include "bench/crossing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "bench/compare.hpp"

namespace nbody::bench {
namespace {

template <typename Value, typename Member>
std::vector<Value> values_of(const BenchResult& result, Member member) {
  std::vector<Value> values;
  for (const BenchSetup& setup : setups_in(result)) values.push_back(setup.*member);
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

bool beats(const BenchRow* one, const BenchRow* other) {
  if (one == nullptr || other == nullptr || !one->measured() || !other->measured()) return false;
  return ratio_of(*one, *other).difference == Difference::faster;
}

// The smallest of the ascending sizes such that `ahead` holds there and above; 0: not even at the
// largest.
std::size_t from_which(const std::vector<std::size_t>& sizes,
                       const std::function<bool(std::size_t)>& ahead) {
  std::size_t from = 0;
  for (auto n = sizes.rbegin(); n != sizes.rend() && ahead(*n); ++n) from = *n;
  return from;
}

// One line per size: which implementations are ahead from there on.
std::string lines_of(const std::vector<std::string>& names, const std::vector<std::size_t>& froms,
                     const std::vector<std::size_t>& sizes) {
  std::string text;
  const auto add = [&](const std::string& head, std::size_t from) {
    std::vector<std::string> here;
    for (std::size_t k = 0; k < names.size(); ++k) {
      if (froms[k] == from) here.push_back(names[k]);
    }
    if (!here.empty()) text += fmt::format("  {}: {}\n", head, fmt::join(here, ", "));
  };
  for (const std::size_t n : sizes) {
    add(fmt::format("from N = {}{}", n, n == sizes.front() ? " or below" : ""), n);
  }
  add("at none of these sizes, or not at the largest", 0);
  return text;
}

std::string over_first(const BenchResult& result, const std::vector<std::size_t>& sizes,
                       unsigned threads, const std::string& precision) {
  std::vector<std::string> names = names_in(result);
  const std::string first = names.front();
  names.erase(names.begin());
  std::vector<std::size_t> froms;
  for (const std::string& name : names) {
    froms.push_back(from_which(sizes, [&](std::size_t n) {
      const BenchSetup setup{n, threads, precision};
      return beats(find_row(result, name, setup), find_row(result, first, setup));
    }));
  }
  if (names.empty()) return "";
  return fmt::format("\nfaster than {} ({} thread{}, {})\n", first, threads,
                     threads == 1 ? "" : "s", precision) +
         lines_of(names, froms, sizes);
}

std::string over_one_thread(const BenchResult& result, const std::vector<std::size_t>& sizes,
                            unsigned threads, const std::string& precision) {
  const std::vector<std::string> names = names_in(result);
  std::vector<std::size_t> froms;
  for (const std::string& name : names) {
    froms.push_back(from_which(sizes, [&](std::size_t n) {
      return beats(find_row(result, name, {n, threads, precision}),
                   find_row(result, name, {n, 1, precision}));
    }));
  }
  return fmt::format("\n{} threads faster than one ({})\n", threads, precision) +
         lines_of(names, froms, sizes);
}

}  // namespace

std::string crossings_text(const BenchResult& result) {
  // If block or unroll were swept, the tables show which is best.
  for (const BenchSetup& setup : setups_in(result)) {
    if (!(setup.tuning == Tuning{})) return "";
  }
  const auto sizes = values_of<std::size_t>(result, &BenchSetup::n);
  const auto threads = values_of<unsigned>(result, &BenchSetup::threads);
  std::string text;
  for (const auto& precision : values_of<std::string>(result, &BenchSetup::precision)) {
    if (sizes.size() > 1) {
      for (const unsigned count : threads) text += over_first(result, sizes, count, precision);
    }
    if (threads.size() < 2 || threads.front() != 1) continue;
    for (std::size_t k = 1; k < threads.size(); ++k) {
      text += over_one_thread(result, sizes, threads[k], precision);
    }
  }
  return text;
}

}  // namespace nbody::bench
