#include "bench/result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace nbody::bench {
namespace {

template <typename Value>
void add_once(std::vector<Value>& values, const Value& value) {
  if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
}

template <typename Member>
bool differs(const std::vector<BenchSetup>& all, Member member) {
  return std::any_of(all.begin(), all.end(),
                     [&](const BenchSetup& setup) { return setup.*member != all.front().*member; });
}

}  // namespace

std::vector<std::string> names_in(const BenchResult& result) {
  std::vector<std::string> names;
  for (const BenchRow& row : result.rows) add_once(names, row.name);
  return names;
}

std::vector<BenchSetup> setups_in(const BenchResult& result) {
  std::vector<BenchSetup> setups;
  for (const BenchRow& row : result.rows) add_once(setups, row.setup);
  return setups;
}

const BenchRow* find_row(const BenchResult& result, const std::string& name,
                         const BenchSetup& setup) {
  for (const BenchRow& row : result.rows) {
    if (row.name == name && row.setup == setup) return &row;
  }
  return nullptr;
}

double ratio_to_first(const BenchResult& result, const BenchRow& row) {
  BenchSetup setup = row.setup;
  setup.tuning = result.rows.front().setup.tuning;
  const BenchRow* first = find_row(result, result.rows.front().name, setup);
  if (first == nullptr || !first->measured()) return 0;
  return row.judged_rate() / first->judged_rate();
}

double ratio_to_parent(const BenchResult& result, const BenchRow& row) {
  const BenchRow* parent = row.parent.empty() ? nullptr : find_row(result, row.parent, row.setup);
  if (parent == nullptr || !parent->measured()) return 0;
  return row.judged_rate() / parent->judged_rate();
}

std::size_t bodies_at_60_a_second(const BenchRow& row) {
  return static_cast<std::size_t>(std::sqrt(row.judged_rate() / 60));
}

std::string label_of(const BenchSetup& setup, const std::vector<BenchSetup>& all) {
  const bool n = differs(all, &BenchSetup::n), threads = differs(all, &BenchSetup::threads),
             precision = differs(all, &BenchSetup::precision);
  const bool tuning = differs(all, &BenchSetup::tuning);
  const bool everything = !n && !threads && !precision && !tuning;
  std::vector<std::string> words;
  if (n || everything) words.push_back(fmt::format("N = {}", setup.n));
  if (threads || everything) {
    words.push_back(fmt::format("{} thread{}", setup.threads, setup.threads == 1 ? "" : "s"));
  }
  if (precision || everything) words.push_back(setup.precision);
  if (setup.tuning.block > 0) words.push_back(fmt::format("blocks of {}", setup.tuning.block));
  if (setup.tuning.unroll > 0) words.push_back(fmt::format("unroll {}", setup.tuning.unroll));
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace nbody::bench
