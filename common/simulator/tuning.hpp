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
template <typename Class>
std::vector<unsigned> block_sizes_of() {
  if constexpr (requires { Class::block_sizes; }) {
    return {std::begin(Class::block_sizes), std::end(Class::block_sizes)};
  }
  return {};
}
template <typename Class>
std::vector<unsigned> unrolls_of() {
  if constexpr (requires { Class::unrolls; }) {
    return {std::begin(Class::unrolls), std::end(Class::unrolls)};
  }
  return {};
}
template <typename Class>
constexpr unsigned largest_grid_of() {
  if constexpr (requires { Class::largest_grid; }) return Class::largest_grid;
  return 0;
}

}  // namespace nbody
