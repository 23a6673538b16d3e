#pragma once

#include <cstddef>

#include "check/zoo/plain.hpp"

namespace nbody {

// As if indices had 14 bits: sources beyond the first 2^14 are lost.
class ShortIndex : public Plain {
 public:
  using Plain::Plain;

 protected:
  Triple pull(std::size_t i, std::size_t j) const override {
    return j < (std::size_t{1} << 14) ? Plain::pull(i, j) : Triple{};
  }
};

}  // namespace nbody
