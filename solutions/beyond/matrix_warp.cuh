#pragma once

#include "extremes.cuh"
#include "fixed_sums.cuh"
#include "matrix_tiles.cuh"

namespace nbody {

// Bodies closer to a tile's centre than this many of its radii are near.
constexpr float near_radii = 1.25f;

// What all warps read and write.
struct MatrixWork {
  const real4* bodies;  // tile by tile
  const Tile* tiles;
  unsigned count, of_group;  // of tiles; a task is a tile and a group of others
  unsigned gpu, gpus;        // this GPU has tasks gpu, gpu + gpus, ...
  float softening2;
  FixedSums sums;

  __device__ unsigned groups() const { return (count + of_group - 1) / of_group; }
};

// One warp and its tile of bodies i, four in each lane. Sums: MatrixSums (matrix_kernel.cuh) or an
// equivalent, the sums of d [m_j, m_j y_j] over far bodies j.
template <typename Sums>
class MatrixWarp {
 public:
  __device__ MatrixWarp(WarpSpace& space, const MatrixWork& work) : space(space), work(work) {}

  // The tile with itself and with the larger ones of a group that begins with tile `first`.
  __device__ void do_task(unsigned tile, unsigned first) {
    own = tile;
    centre = work.tiles[own].centre;
    unit_of_i = work.tiles[own].mass_unit;
    // Lane l looks at tile first + l.
    const float size = work.tiles[own].size();
    const unsigned other = first + lane();
    const bool is_there = lane() < work.of_group && other < work.count;
    const float other_size = is_there ? work.tiles[other].size() : 0;
    const float other_unit = is_there ? work.tiles[other].mass_unit : 0;
    const bool is_larger = other_size > size || (other_size == size && other > own);
    const unsigned larger = __ballot_sync(0xffffffff, is_there && is_larger);
    unsigned near = larger != 0 ? meet_far_chunks(first, larger, other_unit) : 0;
    if (is_there && other == own) near = (1u << chunks_of_tile) - 1;
    meet_near_chunks(first, near);
  }

 private:
  WarpSpace& space;
  const MatrixWork& work;
  unsigned own;     // number of the tile
  float3 centre;    // of the tile
  float unit_of_i;  // of its masses
  float q;          // a power of two above its radius, and not 0
  Sums of_i;
  float unit;         // of the numbers in of_i
  float middle_mass;  // this lane's part of the sums over j of w m_j and w m_j y_j, with the common
  float3 middle_pull;  // part of a chunk's weights w

  __device__ static unsigned lane() { return threadIdx.x % 32; }
  __device__ real4 body(int k) const { return work.bodies[own * bodies_of_tile + 32 * k + lane()]; }
  __device__ float3 from_centre(const real4& body) const {
    return minus({body.x, body.y, body.z}, centre);
  }
  __device__ void add_to_tile(int k, const float3& pull) const {
    work.sums.add(own * bodies_of_tile + 32 * k + lane(), pull);
  }

  // Returns what is left for pair by pair: of the four chunks of tile first + lane, one bit each.
  __device__ unsigned meet_far_chunks(unsigned first, unsigned tiles, float unit_of_other) {
    begin_sums();
    const float radius = work.tiles[own].radius, near2 = near_radii * near_radii * radius * radius;
    unsigned near = 0;
    int c = 0;
    const auto next_body = [&] {
      const unsigned tile = first + __ffs(static_cast<int>(tiles)) - 1;
      return work.bodies[(tile * chunks_of_tile + c) * bodies_of_chunk + lane()];
    };
    real4 coming = next_body();
    while (tiles != 0) {
      const unsigned tile = __ffs(static_cast<int>(tiles)) - 1, chunk = c;
      const real4 j = coming;
      if (++c == chunks_of_tile) {
        c = 0;
        tiles &= tiles - 1;
      }
      if (tiles != 0) coming = next_body();  // on its way while this chunk is met

      const float3 y = from_centre(j);
      const float r2 = square(y), nearest2 = smallest_in_warp(r2);
      const float farthest2 = largest_in_warp(r2) + work.softening2;
      const float unit_of_j = __shfl_sync(0xffffffff, unit_of_other, tile);
      // s^3 must fit into a float, and no weight may exceed another by a factor above 128^(3/2).
      if (nearest2 > near2 && nearest2 > 0x1p-80f &&
          farthest2 < 128 * (nearest2 + work.softening2) && unit_of_i > 0 && unit_of_j > 0) {
        const float3 pull = meet_far(j.w, unit_of_j, y, r2, nearest2, farthest2);
        work.sums.add(((first + tile) * chunks_of_tile + chunk) * bodies_of_chunk + lane(), pull);
      } else if (lane() == tile) {
        near |= 1u << chunk;
      }
    }
    end_sums();
    return near;
  }

  // Pair by pair, and no body with itself.
  __device__ void meet_near_chunks(unsigned first, unsigned near) {
    unsigned tiles = __ballot_sync(0xffffffff, near != 0);
    if (tiles == 0) return;
    const real4 bodies[4] = {body(0), body(1), body(2), body(3)};
    real4 sum[4]{};
    for (; tiles != 0; tiles &= tiles - 1) {
      const unsigned lane_of_tile = __ffs(static_cast<int>(tiles)) - 1, tile = first + lane_of_tile;
      unsigned chunks = __shfl_sync(0xffffffff, near, lane_of_tile);
      for (; chunks != 0; chunks &= chunks - 1) {
        const int chunk = __ffs(static_cast<int>(chunks)) - 1;
        const unsigned j = tile * bodies_of_tile + chunk * bodies_of_chunk + lane();
        __syncwarp();
        space.one_by_one.store(work.bodies[j]);
        __syncwarp();
        if (tile == own) {
          meet<false, true, 1, 0>(bodies, sum, space.one_by_one, work.softening2, -32 * chunk);
        } else {
          const real4 of_j =
              meet<false, false, 2, 2>(bodies, sum, space.one_by_one, work.softening2, 0);
          work.sums.add(j, {of_j.x, of_j.y, of_j.z});
        }
      }
    }
    for (int k = 0; k < 4; ++k) add_to_tile(k, {sum[k].x, sum[k].y, sum[k].z});
    __syncwarp();
  }

  __device__ void begin_sums() {
    q = power_above(fmaxf(work.tiles[own].radius, 0x1p-60f));
    const float per_mass = reciprocal(unit_of_i);
    for (int k = 0; k < 4; ++k) {
      const real4 i = body(k);
      const float3 u = times(reciprocal(q), from_centre(i));
      space.rows[32 * k + lane()].row = row_of(u);
      space.pulls_of_i[32 * k + lane()] = pull_of(i.w * per_mass, i.w * per_mass, u);
    }
    of_i.clear();
    unit = 1;
    middle_mass = 0;
    middle_pull = {0, 0, 0};
    __syncwarp();
  }

  // All lengths of the chunk are in units of 1/s, about the distance of its nearest body, so that
  // halves can hold them. Returns the pull on j, a_j = sum w m_i (u_i - y_j).
  __device__ float3 meet_far(float mass_of_j, float unit_of_j, const float3& y, float r2,
                             float nearest2, float farthest2) {
    const float softened = nearest2 + work.softening2;
    const float s = reciprocal(power_below(softened * estimate_of_rsqrt(softened)));
    const float s2 = s * s, s3 = s2 * s;
    const float3 y_in_s = times(s, y);
    space.columns[lane()].row = column_of(y_in_s, s2 * (r2 + work.softening2), s * q);
    count_about_in(unit_of_j * s2);
    const float mass = mass_of_j * (s2 * reciprocal(unit));
    space.pulls_of_j[lane()] = pull_of(mass * (s * q), mass, y_in_s);
    // All weights 1/r^3 of the chunk have the smallest one in common; only the rest is a half.
    const float root = estimate_of_rsqrt(s2 * farthest2), middle = root * root * root;
    __syncwarp();
    of_i.meet(space, middle);

    const float w = s3 * middle;
    middle_mass += w * mass_of_j;
    middle_pull.x += w * mass_of_j * y.x;
    middle_pull.y += w * mass_of_j * y.y;
    middle_pull.z += w * mass_of_j * y.z;
    const float(&found)[pull_stride] = space.sums[lane()];
    const Tile& tile = work.tiles[own];
    const float m = unit_of_i * s3, place = m * q;
    const float all = m * (found[0] + found[4]) + w * tile.mass;
    const float3 pull{place * (found[1] + found[5]) + w * tile.rest.x - y.x * all,
                      place * (found[2] + found[6]) + w * tile.rest.y - y.y * all,
                      place * (found[3] + found[7]) + w * tile.rest.z - y.z * all};
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

  // a_i = sum w m_j (y_j - u_i), with w = d + the common part.
  __device__ void end_sums() {
    const auto sum = [](float x) { return over_warp(x, [](float a, float b) { return a + b; }); };
    const float all = sum(middle_mass);
    const float3 middle{sum(middle_pull.x), sum(middle_pull.y), sum(middle_pull.z)};
    for (int k = 0; k < 4; ++k) {
      of_i.store(k, space);
      const float(&found)[pull_stride] = space.sums[lane()];
      const float3 u = from_centre(body(k));
      const float mass = unit * (found[0] + found[4]) / q + all;
      add_to_tile(k, {unit * (found[1] + found[5]) + middle.x - u.x * mass,
                      unit * (found[2] + found[6]) + middle.y - u.y * mass,
                      unit * (found[3] + found[7]) + middle.z - u.z * mass});
      __syncwarp();
    }
  }
};

}  // namespace nbody
