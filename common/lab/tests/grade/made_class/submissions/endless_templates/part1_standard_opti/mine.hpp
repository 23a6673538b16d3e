// Templates that double 200 times: the compiler takes all memory, and never ends.
#pragma once

#include "naive.hpp"

namespace nbody {

template <int depth, long path>
struct Tree {
  static constexpr long leaves =
      Tree<depth - 1, 2 * path>::leaves + Tree<depth - 1, 2 * path + 1>::leaves;
};
template <long path>
struct Tree<0, path> {
  static constexpr long leaves = 1;
};

class Mine : public Naive {
 public:
  using Naive::Naive;
  static constexpr long leaves = Tree<60, 0>::leaves;
};

}  // namespace nbody
