#pragma once

#include <cstdint>

namespace nbody {

// How far along a Hilbert curve a cell lies, of 2^bits in each direction, bits <= 21: neighbours on
// the curve are neighbours in space. J. Skilling, AIP Conf. Proc. 707, 381 (2004): bit by bit, the
// coordinates are turned into the curve's own frame; then their bits are interleaved.
constexpr std::uint64_t hilbert_key(std::uint32_t x, std::uint32_t y, std::uint32_t z, int bits) {
  std::uint32_t c[3] = {x, y, z}, turned = 0;
  const std::uint32_t top = 1u << (bits - 1);
  for (std::uint32_t bit = top; bit > 1; bit /= 2) {
    for (std::uint32_t& one : c) {
      const bool mirror = (one & bit) != 0;
      const std::uint32_t change = mirror ? bit - 1 : (c[0] ^ one) & (bit - 1);
      c[0] ^= change;
      if (!mirror) one ^= change;
    }
  }
  c[1] ^= c[0];
  c[2] ^= c[1];
  for (std::uint32_t bit = top; bit > 1; bit /= 2) turned ^= (c[2] & bit) != 0 ? bit - 1 : 0;
  std::uint64_t key = 0;
  for (std::uint32_t bit = top; bit > 0; bit /= 2) {
    for (const std::uint32_t one : c) key = 2 * key + (((one ^ turned) & bit) != 0 ? 1 : 0);
  }
  return key;
}

}  // namespace nbody
