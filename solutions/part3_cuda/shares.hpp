#pragma once

namespace nbody {

// In how many shares to cut the tiles, so that the last wave of blocks is as full as the others.
// The constants are measured: what a share costs beside its tiles, in units of a tile.
constexpr unsigned best_shares(unsigned blocks, unsigned tiles, unsigned resident_blocks) {
  unsigned best = 1;
  double best_time = 1e300;
  for (unsigned shares = 1; shares <= tiles && shares <= 128; ++shares) {
    const unsigned waves = (blocks * shares + resident_blocks - 1) / resident_blocks;
    const unsigned longest = (tiles + shares - 1) / shares;
    const double time = waves * (longest + 0.3) + 0.02 * shares;
    if (time < best_time) {
      best_time = time;
      best = shares;
    }
  }
  return best;
}

}  // namespace nbody
