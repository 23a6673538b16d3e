#pragma once

namespace nbody {

// Into how many shares to cut the tiles, so that the last wave of blocks is as full as the others.
// The constants are measured: the overhead of a share, in units of a tile. A share of at most
// `longest` tiles keeps the error of float sums below 1e-5 (docs/sums.md).
constexpr unsigned best_shares(unsigned blocks, unsigned tiles, unsigned resident_blocks,
                               unsigned longest) {
  const unsigned fewest = (tiles + longest - 1) / longest;
  const unsigned most = fewest > 64 ? 2 * fewest : 128;
  unsigned best = fewest;
  double best_time = 1e300;
  for (unsigned shares = fewest; shares <= tiles && shares <= most; ++shares) {
    const unsigned waves = (blocks * shares + resident_blocks - 1) / resident_blocks;
    const unsigned tiles_of_first = (tiles + shares - 1) / shares;
    const double time = waves * (tiles_of_first + 0.3) + 0.02 * shares;
    if (time < best_time) {
      best_time = time;
      best = shares;
    }
  }
  return best;
}

}  // namespace nbody
