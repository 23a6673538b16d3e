#pragma once

#include <iterator>
#include <vector>

namespace nbody {

// Launch parameters that an implementation leaves to the command line. 0: not used.
struct Tuning {
  unsigned block = 0;   // --block: threads per block
  unsigned unroll = 0;  // --unroll: unroll factor of the inner loop
  unsigned grid = 0;    // --grid: blocks at most; 0: the implementation chooses
  bool operator==(const Tuning&) const = default;
};

// An implementation takes --block or --unroll if its class lists the values, the default first:
//
//   static constexpr std::array block_sizes = {256u, 32u, 64u, 128u};
//   static constexpr std::array unrolls = {4u, 1u, 2u, 8u};
//
// It finds the chosen value in problem.tuning.block. It takes --grid, from 1 to the number that its
// class gives, if a kernel is right with any number of blocks:
//
//   static constexpr unsigned largest_grid = 65535;
struct Choices {
  std::vector<unsigned> block_sizes = {}, unrolls = {};  // empty: no such option
  unsigned largest_grid = 0;                             // the same
  Tuning chosen(Tuning tuning) const {
    if (tuning.block == 0 && !block_sizes.empty()) tuning.block = block_sizes.front();
    if (tuning.unroll == 0 && !unrolls.empty()) tuning.unroll = unrolls.front();
    return tuning;
  }
};
template <typename Class>
Choices choices_of() {
  Choices all;
  const auto add = [](std::vector<unsigned>& to, const auto& from) {
    to.assign(std::begin(from), std::end(from));
  };
  if constexpr (requires { Class::block_sizes; }) add(all.block_sizes, Class::block_sizes);
  if constexpr (requires { Class::unrolls; }) add(all.unrolls, Class::unrolls);
  if constexpr (requires { Class::largest_grid; }) all.largest_grid = Class::largest_grid;
  return all;
}

}  // namespace nbody
