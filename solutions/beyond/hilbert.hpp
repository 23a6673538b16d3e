#pragma once

#include <cstdint>

namespace nbody {

// How far along a Hilbert curve a cell lies: neighbours on the curve are neighbours in space. The
// cells are those of a cube cut into 2^bits in each direction, bits <= 21. J. Skilling, AIP Conf.
// Proc. 707, 381 (2004): the coordinates, one bit of each after the other, are turned into the
// curve's own frame; then their bits are interleaved.
constexpr std::uint64_t hilbert_key(std::uint32_t x, std::uint32_t y, std::uint32_t z, int bits) {
  std::uint32_t c[3] = {x, y, z};
  const std::uint32_t top = 1u << (bits - 1);
  for (std::uint32_t bit = top; bit > 1; bit /= 2) {
    const std::uint32_t below = bit - 1;
    for (int k = 0; k < 3; ++k) {
      if (c[k] & bit) {
        c[0] ^= below;  // mirror
      } else {
        const std::uint32_t differ = (c[0] ^ c[k]) & below;  // exchange
        c[0] ^= differ;
        c[k] ^= differ;
      }
    }
  }
  c[1] ^= c[0];
  c[2] ^= c[1];
  std::uint32_t turned = 0;
  for (std::uint32_t bit = top; bit > 1; bit /= 2) {
    if (c[2] & bit) turned ^= bit - 1;
  }
  std::uint64_t key = 0;
  for (std::uint32_t bit = top; bit > 0; bit /= 2) {
    for (int k = 0; k < 3; ++k) key = 2 * key + (((c[k] ^ turned) & bit) != 0 ? 1 : 0);
  }
  return key;
}

}  // namespace nbody
