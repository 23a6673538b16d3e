#pragma once

namespace nbody {

// Into how many chunks to cut the tiles, so that the last wave of blocks is as full as the others.
// The constants are measured: the overhead of a chunk, in units of a tile. A chunk of at most
// `longest` tiles keeps the error of float sums below 1e-5 (docs/physics.md).
constexpr unsigned best_chunks(unsigned blocks, unsigned tiles, unsigned resident_blocks,
                               unsigned longest) {
  const unsigned fewest = (tiles + longest - 1) / longest;
  const unsigned most = fewest > 64 ? 2 * fewest : 128;
  unsigned best = fewest;
  double best_time = 1e300;
  for (unsigned chunks = fewest; chunks <= tiles && chunks <= most; ++chunks) {
    const unsigned waves = (blocks * chunks + resident_blocks - 1) / resident_blocks;
    const unsigned tiles_of_first = (tiles + chunks - 1) / chunks;
    const double time = waves * (tiles_of_first + 0.3) + 0.02 * chunks;
    if (time < best_time) {
      best_time = time;
      best = chunks;
    }
  }
  return best;
}

}  // namespace nbody
