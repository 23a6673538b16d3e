#pragma once

#include <algorithm>
#include <cstddef>

#include "check/zoo/plain.hpp"

namespace nbody {

// Sources are packed into 14 bits of an index, say: none of the last bodies pulls where there are
// more than 2^14.
class ShortIndex : public Plain {
 public:
  using Plain::Plain;

 protected:
  Triple pull(std::size_t i, std::size_t j) const override {
    return j < (std::size_t{1} << 14) ? Plain::pull(i, j) : Triple{};
  }
};

}  // namespace nbody
