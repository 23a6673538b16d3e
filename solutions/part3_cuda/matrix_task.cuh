#pragma once

#include "fixed_sums.cuh"
#include "matrix_tasks.hpp"
#include "warp_space.cuh"

namespace nbody {

// Bodies closer to a tile's centre than this many of its radii are near.
constexpr float near_radii = 1.25f;

// What all tasks read and write.
struct MatrixWork {
  const real4* bodies;  // tile by tile
  const Tile* tiles;
  const Chunk* chunks;
  float softening2;
  FixedSums sums;
};

// One warp and its tile. Sums: MatrixSums (matrix_kernel.cuh) or an equivalent.
template <typename Sums>
class MatrixWarp {
 public:
  __device__ MatrixWarp(WarpSpace& space, const MatrixWork& work) : space(space), work(work) {}

  __device__ void take(unsigned tile) {
    own = tile;
    if (lane() == 0) space.tile = work.tiles[tile];
    __syncwarp();
    centre = space.tile.all.centre;
    q = power_above(fmaxf(space.tile.radius, 0x1p-60f));
    const float per_mass = reciprocal(space.tile.mass_unit);
    for (int k = 0; k < 4; ++k) {
      const float3 u = place_in_q(k);
      const float mass = body(k).w * per_mass;
      space.rows[32 * k + lane()].row = row_of(u);
      space.pulls_of_i[32 * k + lane()] = pull_of(mass, mass, u);
      space.own_pulls[32 * k + lane()] = {0, 0, 0};
    }
    of_i.clear();
    near2 = near_radii * near_radii * space.tile.radius * space.tile.radius;
    unit = 1;
    middle_mass = 0;
    middle_pull = {0, 0, 0};
    __syncwarp();
  }

  // No body pulls itself.
  __device__ void meet_itself() {
    const real4 bodies[4] = {body(0), body(1), body(2), body(3)};
    real4 sum[4]{};
    for (int chunk = 0; chunk < chunks_of_tile; ++chunk) {
      space.one_by_one.store(bodies[chunk]);
      __syncwarp();
      meet<false, true, 1, 0>(bodies, sum, space.one_by_one, work.softening2, -32 * chunk);
      __syncwarp();
    }
    add_to_own(sum);
  }

  // A chunk on its way.
  struct Coming {
    real4 body;
    float mass_unit;
  };
  __device__ Coming fetch(unsigned chunk) const {
    return {work.bodies[chunk * bodies_of_chunk + lane()], work.chunks[chunk].mass_unit};
  }

  __device__ void meet_chunk(unsigned number, const Coming& coming) {
    const Seen seen = seen_from(centre, near2, coming.body, work.softening2);
    const float3 pull =
        seen.far && coming.mass_unit > 0 && space.tile.mass_unit > 0
            ? meet_far_chunk(coming.body.w, coming.mass_unit, seen, work.chunks[number].all)
            : meet_one_by_one(coming.body);
    work.sums.add(number * bodies_of_chunk + lane(), pull);
  }

  // a_i = sum w m_j (y_j - u_i), with w = d + the middle weight.
  __device__ void finish() {
    for (int k = 0; k < 4; ++k) {
      of_i.store(k, space);
      const float(&found)[pull_stride] = space.sums[lane()];
      const float3 u = place_in_q(k);
      const float mass = unit * (found[0] + found[4]) + q * middle_mass;
      float3& pull = space.own_pulls[32 * k + lane()];
      pull.x += unit * (found[1] + found[5]) + middle_pull.x - u.x * mass;
      pull.y += unit * (found[2] + found[6]) + middle_pull.y - u.y * mass;
      pull.z += unit * (found[3] + found[7]) + middle_pull.z - u.z * mass;
      work.sums.add(own * bodies_of_tile + 32 * k + lane(), pull);
      __syncwarp();
    }
  }

 private:
  WarpSpace& space;
  const MatrixWork& work;
  unsigned own;       // number of the tile
  float3 centre;      // of the tile
  float q;            // a power of two above its radius, and not 0
  float near2;        // squared distance from the centre up to which bodies are near
  Sums of_i;          // over the far bodies j
  float unit;         // of its numbers
  float middle_mass;  // sums over j of the common part of a chunk's weights
  float3 middle_pull;

  __device__ static unsigned lane() { return threadIdx.x % 32; }
  __device__ real4 body(int k) const { return work.bodies[own * bodies_of_tile + 32 * k + lane()]; }
  __device__ float3 place_in_q(int k) const {
    const real4 i = body(k);
    const float3 u = minus({i.x, i.y, i.z}, centre);
    const float per_q = reciprocal(q);
    return {u.x * per_q, u.y * per_q, u.z * per_q};
  }

  __device__ void add_to_own(const real4 (&sum)[4]) const {
    for (int k = 0; k < 4; ++k) {
      float3& pull = space.own_pulls[32 * k + lane()];
      pull = {pull.x + sum[k].x, pull.y + sum[k].y, pull.z + sum[k].z};
    }
  }

  __device__ float3 meet_one_by_one(const real4& j) {
    const real4 bodies[4] = {body(0), body(1), body(2), body(3)};
    real4 sum[4]{};
    space.one_by_one.store(j);
    __syncwarp();
    const real4 of_j = meet<false, false, 2, 2>(bodies, sum, space.one_by_one, work.softening2, 0);
    __syncwarp();
    add_to_own(sum);
    return {of_j.x, of_j.y, of_j.z};
  }

  // All lengths of the chunk are in units of 1/s, so that halves can hold them.
  __device__ float3 meet_far_chunk(float mass_of_j, float mass_unit, const Seen& seen,
                                   const Moments& all) {
    const float s = seen.s, s3 = s * s * s;
    const float3 y{s * seen.y.x, s * seen.y.y, s * seen.y.z};
    space.columns[lane()].row = column_of(y, s * s * seen.distance2, s * q);
    count_about_in(mass_unit * s * s);
    const float mass = mass_of_j * (s * s * reciprocal(unit));
    space.pulls_of_j[lane()] = pull_of(mass * (s * q), mass, y);
    const float3 apart = minus(all.centre, centre);
    const float root = estimate_of_rsqrt(s * s * seen.farthest2);
    const float middle = root * root * root;
    __syncwarp();
    of_i.meet(space, middle);

    const float weight = s3 * middle;
    middle_mass += weight * all.mass;
    middle_pull.x += weight * (all.mass * apart.x + all.rest.x);
    middle_pull.y += weight * (all.mass * apart.y + all.rest.y);
    middle_pull.z += weight * (all.mass * apart.z + all.rest.z);
    const float3 pull = pull_on_j(seen.y, space.tile.mass_unit * s3, weight);
    __syncwarp();
    return pull;
  }

  // Converts the sums to another unit if the old one is not within a factor of 4 of `wanted`.
  __device__ void count_about_in(float wanted) {
    const float ratio = unit * reciprocal(wanted);
    if (ratio >= 0.25f && ratio <= 4) return;
    of_i.multiply(ratio);
    unit = wanted;
  }

  // a_j = sum w m_i (u_i - y_j).
  __device__ float3 pull_on_j(const float3& y, float unit_of_mass, float weight) const {
    const float(&found)[pull_stride] = space.sums[lane()];
    const Moments& all = space.tile.all;
    const float mass = unit_of_mass * (found[0] + found[4]) + weight * all.mass;
    const float place = unit_of_mass * q;
    return {place * (found[1] + found[5]) + weight * all.rest.x - y.x * mass,
            place * (found[2] + found[6]) + weight * all.rest.y - y.y * mass,
            place * (found[3] + found[7]) + weight * all.rest.z - y.z * mass};
  }
};

// Tiles start with different partners, or all would add to the same sums.
template <typename Sums>
__device__ inline void meet_others(MatrixWarp<Sums>& warp, const MatrixTasks::Task& task) {
  const auto others = static_cast<unsigned>(task.end - task.first);
  const unsigned begin = static_cast<unsigned>(task.first) * chunks_of_tile;
  const unsigned end = begin + others * chunks_of_tile;
  const unsigned start = begin + static_cast<unsigned>(task.tile) % others * chunks_of_tile;
  unsigned chunk = start;
  auto next = warp.fetch(chunk);
  do {
    const unsigned now = chunk;
    const auto coming = next;
    if (++chunk == end) chunk = begin;
    next = warp.fetch(chunk);
    warp.meet_chunk(now, coming);
  } while (chunk != start);
}

// Each warp takes tasks until none are left; no sum depends on which warp takes which.
template <typename Sums, int warps, int min_blocks>
__global__ __launch_bounds__(32 * warps, min_blocks) void meet_in_matrices(
    const __grid_constant__ MatrixWork work, MatrixTasks tasks, unsigned* next_task) {
  __shared__ WarpSpace spaces[warps];
  MatrixWarp<Sums> warp(spaces[threadIdx.x / 32], work);
  for (;;) {
    const unsigned taken = threadIdx.x % 32 == 0 ? atomicAdd(next_task, 1) : 0;
    // The last ones first: large tiles have more near bodies, and take longer.
    const int number = tasks.count() - 1 - static_cast<int>(__shfl_sync(0xffffffff, taken, 0));
    if (number < 0) return;
    const MatrixTasks::Task task = tasks.task(number);
    if (task.tile >= task.end) continue;
    warp.take(static_cast<unsigned>(task.tile));
    if (task.with_itself) warp.meet_itself();
    if (task.first < task.end) meet_others(warp, task);
    warp.finish();
  }
}

}  // namespace nbody
