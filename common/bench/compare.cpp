#include "bench/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "command_line/table.hpp"

namespace nbody::bench {
namespace {

std::string percent(double part) { return fmt::format("{:.0f} %", 100 * part); }

std::string rate_text(const BenchRow* row) {
  return row != nullptr && row->measured() ? fmt::format("{:.3f}", row->judged_rate() / 1e9) : "-";
}

// What must be equal for a ratio to compare the programs.
std::string differences_of(const BenchContext& before, const BenchContext& after) {
  std::string text;
  const auto compare = [&](const char* what, const std::string& a, const std::string& b) {
    if (a != b) text += fmt::format("not the same {}: {} and {}\n", what, a, b);
  };
  compare("part", before.part, after.part);
  compare("processor", before.cpu, after.cpu);
  compare("device", before.device, after.device);
  compare("compiler", before.compiler, after.compiler);
  compare("scene", before.scene, after.scene);
  compare("time step", before.adaptive ? "adaptive" : "fixed",
          after.adaptive ? "adaptive" : "fixed");
  return text;
}

std::vector<std::string> cells_of(const std::string& name, const std::string& setup,
                                  const BenchRow* before, const BenchRow* after) {
  std::vector<std::string> cells = {name, setup, rate_text(before), rate_text(after)};
  if (before == nullptr || after == nullptr) {
    cells.insert(cells.end(), {"", before == nullptr ? "only in the second" : "only in the first"});
  } else if (!before->measured() || !after->measured()) {
    cells.insert(cells.end(),
                 {"", "not measured: " + (before->measured() ? after : before)->verdict});
  } else {
    const RateRatio ratio = ratio_of(*after, *before);
    cells.insert(cells.end(), {fmt::format("{:.3g}", ratio.ratio), verdict_of(ratio)});
    if (before->flags != after->flags) cells.back() += fmt::format("; now {}", after->flags);
  }
  return cells;
}

}  // namespace

RateRatio ratio_of(const BenchRow& after, const BenchRow& before) {
  // Medians, unless both files are of an older lab.
  const bool both_fastest = after.fastest > 0 && before.fastest > 0;
  RateRatio ratio{
      both_fastest ? after.fastest / before.fastest : after.rate.median / before.rate.median,
      std::max(after.rate.spread(), before.rate.spread()), Difference::none};
  const double away = std::max(ratio.ratio, 1 / ratio.ratio) - 1;
  if (after.rounds < 2 || before.rounds < 2) {
    ratio.difference = Difference::unknown;
  } else if (ratio.spread > widest_spread) {
    ratio.difference = Difference::too_noisy;
  } else if (away > ratio.spread) {
    ratio.difference = ratio.ratio > 1 ? Difference::faster : Difference::slower;
  }
  return ratio;
}

std::string verdict_of(const RateRatio& ratio) {
  const std::string number = fmt::format("{:.3g}", ratio.ratio), spread = percent(ratio.spread);
  switch (ratio.difference) {
    case Difference::faster:
      return number + ": faster, outside the spread of " + spread;
    case Difference::slower:
      return number + ": slower, outside the spread of " + spread;
    case Difference::none:
      return number + " is inside the spread of " + spread + ": no difference shown";
    case Difference::too_noisy:
      return number + ": the spread of " + spread + " is too wide to tell";
    case Difference::unknown:
      break;
  }
  return number + " of a single round, which has no spread: nothing shown";
}

std::string compare_text(const BenchResult& before, const BenchResult& after) {
  std::vector<BenchSetup> setups = setups_in(before);
  for (const BenchSetup& setup : setups_in(after)) {
    if (std::find(setups.begin(), setups.end(), setup) == setups.end()) setups.push_back(setup);
  }
  std::vector<std::string> names = names_in(before);
  for (const std::string& name : names_in(after)) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  command_line::Table table(
      {"implementation", "measured at", ">first", ">second", ">ratio", "verdict"});
  for (const BenchSetup& setup : setups) {
    for (const std::string& name : names) {
      const BenchRow* first = find_row(before, name, setup);
      const BenchRow* second = find_row(after, name, setup);
      if (first == nullptr && second == nullptr) continue;
      table.add_row(cells_of(name, label_of(setup, setups), first, second));
    }
  }
  return differences_of(before.context, after.context) +
         "10^9 interactions/s; ratio: second / first\n\n" + table.text();
}

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
  auto sizes = values_of<std::size_t>(result, &BenchSetup::n);
  std::erase_if(sizes, [&](std::size_t n) {  // not reached before it was stopped
    return std::none_of(result.rows.begin(), result.rows.end(),
                        [&](const BenchRow& row) { return row.setup.n == n && row.measured(); });
  });
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
