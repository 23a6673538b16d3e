#pragma once

#include <cstddef>

namespace nbody {

// Who does what. The bodies are cut into `blocks` of equal size. Block b is paired with itself
// (round 0) and with the blocks b+1, b+2, ... (rounds 1, 2, ...) around a circle, half of the
// circle each: every pair of blocks occurs once. A unit is one block against one tile of another;
// all units, block after block, are dealt to the thread blocks in `chunks` of equal length. Within
// a chunk a body has one running sum: short chunks keep its error small (docs/physics.md); beside a
// giant up to 2.8e-5 remains.
struct ThirdLawPlan {
  int blocks;
  int tiles;  // of a block
  int chunks;
  int full_rounds;  // that every block takes part in, the diagonal included
  int half;         // blocks below this one have one round more; 0 if their number is odd
  long long units;
  int first_chunk = 0;  // of this GPU: several can take some of the chunks each
  int own_chunks = 0;

  constexpr long long first_unit(int block) const {
    return (static_cast<long long>(block) * full_rounds + (block < half ? block : half)) * tiles;
  }
  constexpr long long first_unit_of_chunk(int chunk) const { return chunk * units / chunks; }
  constexpr int chunk_of(long long unit) const {
    return static_cast<int>(((unit + 1) * chunks - 1) / units);
  }
  constexpr int block_of(long long unit) const {
    const long long normal = static_cast<long long>(full_rounds) * tiles, longer = normal + tiles;
    if (unit < half * longer) return static_cast<int>(unit / longer);
    return half + static_cast<int>((unit - half * longer) / normal);
  }
  // Rounds in which this block is the other one.
  constexpr int rounds_as_other(int block) const {
    return full_rounds - 1 + (half > 0 && block >= half ? 1 : 0);
  }
  // In blocks: sums of the bodies i, one for each chunk and block of it, and sums of the bodies
  // j, one for each round except the diagonal.
  constexpr std::size_t i_sums() const { return static_cast<std::size_t>(chunks + blocks); }
  constexpr std::size_t j_sums() const {
    const int rounds = full_rounds - 1 + (half > 0 ? 1 : 0);
    return static_cast<std::size_t>(rounds > 0 ? rounds : 1) * static_cast<std::size_t>(blocks);
  }
};

// One GPU of several, counted from 0, which divide the work.
struct OneGpu {
  int number = 0, of = 1;
};

constexpr int longest_chunk = 32;  // units; most often of 128 bodies: sums over 4096

// `at_once`: the chunks that one GPU works on at the same time. The number of chunks is this, a
// multiple of it, or the number of units if that is smaller.
constexpr ThirdLawPlan third_law_plan(int blocks, int tiles, int at_once, OneGpu gpu = {}) {
  const int rounds = 1 + (blocks - 1) / 2, half = blocks % 2 == 0 ? blocks / 2 : 0;
  ThirdLawPlan plan{blocks, tiles, at_once * gpu.of, rounds, half, 0};
  plan.units = plan.first_unit(blocks);
  const long long in_one_wave = static_cast<long long>(plan.chunks) * longest_chunk;
  plan.chunks *= static_cast<int>((plan.units + in_one_wave - 1) / in_one_wave);
  if (plan.units < plan.chunks) plan.chunks = static_cast<int>(plan.units);
  plan.first_chunk = plan.chunks * gpu.number / gpu.of;
  plan.own_chunks = plan.chunks * (gpu.number + 1) / gpu.of - plan.first_chunk;
  return plan;
}

}  // namespace nbody
