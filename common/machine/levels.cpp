#include "machine/levels.hpp"

#include <algorithm>

namespace nbody::machine {
namespace {

constexpr std::size_t smallest_array = 8u << 10;
constexpr std::size_t smallest_memory_array = 64u << 20;

std::string mebibytes(std::size_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

Level level_3(const MachineFacts& facts, std::size_t threads) {
  const std::size_t caches = std::clamp<std::size_t>(facts.l3_caches, 1, threads);
  Level level{"L3", facts.l3 / 2 * caches / threads, ""};
  if (level.bytes <= facts.l2) {
    level.why_not = "half of L3 fits into the L2 of each core";
  }
  return level;
}

Level memory(const MachineFacts& facts, std::size_t threads, std::size_t free_memory) {
  const std::size_t l3 = facts.l3 * std::max(1u, facts.l3_caches);
  const std::size_t l2 = facts.l2 * std::max(1u, facts.cores);
  const std::size_t caches = std::max({l3, l2, facts.l1d});
  const std::size_t wanted = std::max(4 * caches, smallest_memory_array);
  const std::size_t total = std::min(wanted, free_memory / 2);
  Level level{"DRAM", total / threads, ""};
  if (total < wanted) {
    level.why_not = "too little memory was free for four times the " + mebibytes(caches) +
                    " of cache: some of the " + mebibytes(total) + " may come from there";
  }
  return level;
}

}  // namespace

std::vector<Level> levels_of(const MachineFacts& facts, std::size_t threads,
                             std::size_t free_memory) {
  std::vector<Level> levels;
  if (facts.l1d == 0) {
    levels.push_back({"L1", smallest_array, "the system does not report the size of L1"});
  } else {
    levels.push_back({"L1", std::max(facts.l1d / 2, smallest_array), ""});
  }
  if (facts.l2 > 0) levels.push_back({"L2", facts.l2 / 2, ""});
  if (facts.l3 > 0) levels.push_back(level_3(facts, threads));
  levels.push_back(memory(facts, threads, free_memory));
  return levels;
}

}  // namespace nbody::machine
