// Problem: third_law is at the limit of the GPU's float units.
// Idea: the tensor cores, 15 times as fast, compute everything but the roots. Of bodies i and j at
// u and y from the centre of i's tile, all that needs both is a product of matrices:
//
//   r^2 = |u|^2 + (|y|^2 + softening^2) - 2 u y               rows of i times columns of j
//   on i  sum_j w m_j (y - u) = sum_j w m_j y - u sum_j w m_j   w times the rows [m_j, m_j y]
//   on j  sum_i w m_i (u - y) = sum_i w m_i u - y sum_i w m_i   w^T times the rows [m_i, m_i u]
//
// with the weights w = 1/r^3, whose roots are computed one by one. Operands are half-precision
// numbers of 11 bits; their products are added in float. What keeps errors small:
//
//   Two numbers for one, a high part and the remainder, have 22 bits.
//   A common part. The weights of 32 bodies j, a chunk, have the smallest one in common. It stays a
//     float, outside the sums, and only w - common is rounded to half precision.
//   Only far bodies. A chunk within 1.25 radii of the tile would lose digits in r^2, so its pairs
//     are computed one by one, in float. They are few if tiles are compact, so every eighth
//     computation sorts the bodies along a Hilbert curve.
//   Units. Half precision ends at 65504, so lengths are in powers of two near the tile's radius or
//     the chunk's distance, masses in one above the tile's largest. A body of more than 1/256 of
//     all mass, whose error would hide the small ones, is computed pair by pair with its tile.
//
// Predicted: 1.5 x, from the roots and products alone.
// Measured: 1.51 x.
// Why: a multiprocessor holds 16 warps, which hide the way of the weights through shared memory.
// Not predicted were preparing chunks, storing their sums, and the near pairs.
#pragma once

#include <numeric>
#include <type_traits>

#include "../part3_cuda/09_third_law.cuh"
#include "../part3_cuda/support/warp_reduce.cuh"
#include "fixed_sums.cuh"
#include "hilbert.hpp"
#include "tensor_cores.cuh"

namespace nbody {

constexpr int bodies_of_tile = 128, bodies_of_chunk = 32, chunks_of_tile = 4;

__device__ inline float3 operator+(const float3& a, const float3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
__device__ inline float3 operator-(const float3& a, const float3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
__device__ inline float3 operator*(float a, const float3& b) { return {a * b.x, a * b.y, a * b.z}; }
__device__ inline float square(const float3& a) { return a.x * a.x + a.y * a.y + a.z * a.z; }
__device__ inline float3 position_of(const real4& body) { return {body.x, body.y, body.z}; }

// Powers of two are only an exponent: the largest one up to x > 0, and the reciprocal of one.
__device__ inline float power_below(float x) {
  return __uint_as_float(__float_as_uint(x) & 0x7f800000);
}
__device__ inline float reciprocal(float power) {
  return __uint_as_float(0x7f000000 - __float_as_uint(power));
}

// 1. The order of the bodies

// The host scales lengths so that every coordinate starts between -1 and 1. A body that flies out
// counts as one of the nearest outer cell. Bodies heavier than `heavy` come after all others.
__global__ void find_keys(Arrays bodies, std::size_t n, float heavy, std::uint64_t* key,
                          unsigned* number) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  constexpr int bits = 20;
  const auto cell = [](float x) {
    constexpr float cells = 1 << bits;
    return static_cast<std::uint32_t>(fminf(fmaxf(x * (cells / 2) + cells / 2, 0), cells - 1));
  };
  key[i] = hilbert_key(cell(bodies.x[i]), cell(bodies.y[i]), cell(bodies.z[i]), bits) +
           (bodies.w[i] > heavy ? std::uint64_t{1} << (3 * bits) : 0);
  number[i] = static_cast<unsigned>(i);
}

// 128 neighbours.
struct Tile {
  float3 centre;  // of mass, rounded
  float mass;
  float3 rest;      // sum m (x - centre), which rounding leaves
  float radius;     // largest distance of a body from the centre
  float mass_unit;  // a power of two above all masses; 0: it is computed pair by pair

  // Of two tiles the smaller one gives the centre from which both are seen.
  __device__ float size() const { return mass_unit > 0 ? radius : no_neighbour; }
};

// A thread block of 128 threads per tile: moves its bodies into their slots and describes them.
// Pair by pair: a tile with a heavy body, with fewer than 128 bodies, or one far beyond all others.
__global__ void make_tiles(Arrays bodies, std::size_t n, const unsigned* numbers, float heavy,
                           real4* in_slots, Tile* tiles) {
  __shared__ float of_warp[bodies_of_tile / 32];
  const std::size_t first = std::size_t{blockIdx.x} * bodies_of_tile, slot = first + threadIdx.x;
  const real4 body = slot < n ? at(bodies, numbers[slot]) : real4{far_away, far_away, far_away, 0};
  in_slots[slot] = body;

  const auto sum = [&](float x) {
    return over_block<bodies_of_tile>(x, of_warp, [](float a, float b) { return a + b; });
  };
  const auto sums = [&](const float3& a) { return float3{sum(a.x), sum(a.y), sum(a.z)}; };
  const auto largest = [&](float x) {
    return over_block<bodies_of_tile>(x, of_warp, [](float a, float b) { return fmaxf(a, b); });
  };
  const float3 from = position_of(at(bodies, numbers[first]));
  const float3 x = slot < n ? position_of(body) : from;
  Tile tile;
  tile.mass = sum(body.w);
  tile.centre = from + (tile.mass > 0 ? 1 / tile.mass : 0) * sums(body.w * (x - from));
  const float3 u = x - tile.centre;
  tile.rest = sums(body.w * u);
  tile.radius = sqrtf(largest(square(u)));
  const float heaviest = largest(body.w);
  // Written so that non-finite values do not count as usual.
  const bool usual =
      first + bodies_of_tile <= n && heaviest <= heavy && tile.radius < sqrtf(no_neighbour);
  tile.mass_unit = usual ? 2 * power_below(heaviest) : 0;
  if (threadIdx.x == 0) tiles[blockIdx.x] = tile;
}

// 2. Packing into half precision

struct TwoHalves {
  half high, low;
  __device__ explicit TwoHalves(float x)
      : high(__float2half_rn(x)), low(__float2half_rn(x - __half2float(high))) {}
};

// Rows are so far apart that 8 of them lie in 8 different groups of banks.
constexpr int row_stride = 24, weight_stride = 40, sum_stride = 8;

// Of the products of high and low parts only the smallest are omitted. A row is in units of q, a
// power of two above the tile's radius; a column converts to units of 1/s.
struct alignas(16) Row {
  half x[row_stride];  // of which 16 count
};
__device__ inline Row row_of(const float3& u_in_q) {
  const TwoHalves x(u_in_q.x), y(u_in_q.y), z(u_in_q.z), u2(square(u_in_q));
  const half one = __float2half_rn(1), zero = __float2half_rn(0);
  return {{x.high, x.high, x.low, y.high, y.high, y.low, z.high, z.high, z.low, u2.high, u2.low,
           one, one, zero, zero, zero}};
}
__device__ inline Row column_of(const float3& y_in_s, float r2_in_s, float s_q) {
  const float3 a = -2 * s_q * y_in_s;
  const TwoHalves x(a.x), y(a.y), z(a.z), r2(r2_in_s);
  const half u2 = __float2half_rn(s_q * s_q), zero = __float2half_rn(0);
  return {{x.high, x.low, x.high, y.high, y.low, y.high, z.high, z.low, z.high, u2, u2, r2.high,
           r2.low, zero, zero, zero}};
}

// What a body gives to the sums of others, its mass and mass times position: the high parts, then
// the low ones.
struct alignas(16) Moments {
  half x[8];
};
__device__ inline Moments moments_of(float mass, const float3& mass_times_position) {
  const TwoHalves m(mass), x(mass_times_position.x), y(mass_times_position.y),
      z(mass_times_position.z);
  return {{m.high, x.high, y.high, z.high, m.low, x.low, y.low, z.low}};
}

// What a warp has in shared memory; tensor cores want matrices at multiples of 32 bytes.
struct alignas(32) WarpSpace {
  Row rows[bodies_of_tile], columns[bodies_of_chunk];
  Moments of_i[bodies_of_tile], of_j[bodies_of_chunk];
  union {  // one after the other
    alignas(32) half weights[32 * weight_stride];
    float sums[32][sum_stride];
    TileOfWarp pair_by_pair;
  };
};

// 3. The products of a tile's 128 bodies i and a chunk's 32 bodies j

class TensorProducts {
 public:
  __device__ void clear() {
    for (Sums& sums : of_i) tensor::fill_fragment(sums, 0);
  }
  __device__ void multiply(float factor) {
    for (Sums& sums : of_i) {
      for (int k = 0; k < sums.num_elements; ++k) sums.x[k] *= factor;
    }
  }
  // The sums over j of the bodies 32 part, ... go to space.sums.
  __device__ void store(int part, WarpSpace& space) const {
    tensor::store_matrix_sync(space.sums[0], of_i[part], sum_stride, tensor::mem_row_major);
    __syncwarp();
  }

  // Adds (w - common) [m_j, m_j y] of a chunk, whose columns and moments are in `space`. The sums
  // over i, of (w - common) [m_i, m_i u], go to space.sums.
  __device__ void add_chunk(WarpSpace& space, float common) {
    tensor::fragment<tensor::matrix_b, 16, 16, 16, half, tensor::col_major> columns[2];
    tensor::fragment<tensor::matrix_b, 32, 8, 16, half, tensor::row_major> moments_of_j[2];
    for (int h = 0; h < 2; ++h) {
      tensor::load_matrix_sync(columns[h], space.columns[16 * h].x, row_stride);
      tensor::load_matrix_sync(moments_of_j[h], space.of_j[16 * h].x, sum_stride);
    }
    Sums of_j;
    tensor::fill_fragment(of_j, 0);
#pragma unroll
    for (int part = 0; part < 4; ++part) {
      for (int i = 0; i < 2; ++i) {
        tensor::fragment<tensor::matrix_a, 16, 16, 16, half, tensor::row_major> rows;
        tensor::load_matrix_sync(rows, space.rows[32 * part + 16 * i].x, row_stride);
        for (int j = 0; j < 2; ++j) {
          tensor::fragment<tensor::accumulator, 16, 16, 16, float> r2;
          tensor::fragment<tensor::accumulator, 16, 16, 16, half> weights;
          tensor::fill_fragment(r2, 0);
          tensor::mma_sync(r2, rows, columns[j], r2);
          for (int k = 0; k < r2.num_elements; ++k) {
            const float root = estimate_of_rsqrt(r2.x[k]);
            weights.x[k] = __float2half_rn(root * root * root - common);
          }
          tensor::store_matrix_sync(space.weights + 16 * i * weight_stride + 16 * j, weights,
                                    weight_stride, tensor::mem_row_major);
        }
      }
      __syncwarp();
      for (int h = 0; h < 2; ++h) {
        tensor::fragment<tensor::matrix_a, 32, 8, 16, half, tensor::row_major> weights;
        tensor::load_matrix_sync(weights, space.weights + 16 * h, weight_stride);
        tensor::mma_sync(of_i[part], weights, moments_of_j[h], of_i[part]);

        tensor::fragment<tensor::matrix_a, 32, 8, 16, half, tensor::col_major> transposed;
        tensor::fragment<tensor::matrix_b, 32, 8, 16, half, tensor::row_major> moments_of_i;
        tensor::load_matrix_sync(transposed, space.weights + 16 * h * weight_stride, weight_stride);
        tensor::load_matrix_sync(moments_of_i, space.of_i[32 * part + 16 * h].x, sum_stride);
        tensor::mma_sync(of_j, transposed, moments_of_i, of_j);
      }
      __syncwarp();
    }
    tensor::store_matrix_sync(space.sums[0], of_j, sum_stride, tensor::mem_row_major);
    __syncwarp();
  }

 private:
  using Sums = tensor::fragment<tensor::accumulator, 32, 8, 16, float>;
  Sums of_i[4];
};

// 4. The sums of each body

__global__ void read_sums(FixedSums sums, const unsigned* numbers, std::size_t n, float G,
                          Arrays acceleration) {
  const std::size_t slot = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (slot >= n) return;
  const unsigned i = numbers[slot];
  acceleration.x[i] = G * sums.total(slot, 0);
  acceleration.y[i] = G * sums.total(slot, 1);
  acceleration.z[i] = G * sums.total(slot, 2);
}

// 5. The kernel

struct MatrixWork {
  const real4* bodies;  // tile by tile
  const Tile* tiles;
  unsigned count, of_group, groups;  // of tiles; a task is a tile and a group of others
  unsigned gpu, gpus;                // this GPU has tasks gpu, gpu + gpus, ...
  float softening2;
  FixedSums sums;
};

// One warp and its tile of bodies i, four in each lane.
template <typename Products>
class WarpTask {
 public:
  __device__ WarpTask(WarpSpace& space, const MatrixWork& work) : space(space), work(work) {}

  // The tile with itself and with the larger ones of a group that begins with tile `first`.
  __device__ void run(unsigned tile, unsigned first) {
    own = tile;
    centre = work.tiles[own].centre;
    unit_of_i = work.tiles[own].mass_unit;
    // Lane l looks at tile first + l.
    const unsigned number = first + lane();
    const bool is_there = lane() < work.of_group && number < work.count;
    const Tile other = is_there ? work.tiles[number] : Tile{};
    const float size = work.tiles[own].size(), other_size = other.size();
    const unsigned larger = __ballot_sync(
        0xffffffff, is_there && (other_size > size || (other_size == size && number > own)));
    unsigned long long near = larger != 0 ? add_far_chunks(first, larger, other.mass_unit) : 0;
    if (own - first < work.of_group) near |= 0xfull << chunks_of_tile * (own - first);
    if (near != 0) add_near_chunks(first, near);
  }

 private:
  WarpSpace& space;
  const MatrixWork& work;
  unsigned own;     // number of the tile
  float3 centre;    // of the tile
  float unit_of_i;  // of its masses
  float q;          // a power of two above its radius, and not 0
  Products products;
  float unit;    // of the sums in products
  real4 common;  // this lane's part of sum_j w [m_j y, m_j], with w the common parts

  __device__ static unsigned lane() { return threadIdx.x % 32; }
  __device__ static unsigned slot(unsigned tile, unsigned chunk) {
    return tile * bodies_of_tile + chunk * bodies_of_chunk + lane();
  }
  __device__ real4 found() const {
    const float(&of)[sum_stride] = space.sums[lane()];
    return {of[1] + of[5], of[2] + of[6], of[3] + of[7], of[0] + of[4]};
  }

  // Returns the chunks that are left for pair by pair, one bit each.
  __device__ unsigned long long add_far_chunks(unsigned first, unsigned tiles,
                                               float unit_of_other) {
    begin_sums();
    const float radius = work.tiles[own].radius, near2 = 1.25f * 1.25f * radius * radius;
    unsigned long long near = 0;
    for (unsigned c = 0; tiles != 0; c = (c + 1) % chunks_of_tile) {
      const unsigned chunk = (__ffs(static_cast<int>(tiles)) - 1) * chunks_of_tile + c;
      if (c == chunks_of_tile - 1) tiles &= tiles - 1;
      const real4 j = work.bodies[slot(first, chunk)];
      const float3 y = position_of(j) - centre;
      const float r2 = square(y), nearest2 = smallest_in_warp(r2);
      const float farthest2 = largest_in_warp(r2) + work.softening2;
      const float unit_of_j = __shfl_sync(0xffffffff, unit_of_other, chunk / chunks_of_tile);
      // s^3 must fit into a float, and no weight may exceed another by a factor above 128^(3/2).
      if (nearest2 > near2 && nearest2 > 0x1p-80f &&
          farthest2 < 128 * (nearest2 + work.softening2) && unit_of_i > 0 && unit_of_j > 0) {
        work.sums.add(slot(first, chunk),
                      add_far_chunk(j.w, unit_of_j, y, r2, nearest2, farthest2));
      } else {
        near |= 1ull << chunk;
      }
    }
    end_sums();
    return near;
  }

  // Pair by pair, and no body with itself.
  __device__ void add_near_chunks(unsigned first, unsigned long long near) {
    real4 body[4], sum[4]{};
    for (int k = 0; k < 4; ++k) body[k] = work.bodies[slot(own, k)];
    for (; near != 0; near &= near - 1) {
      const int chunk = __ffsll(static_cast<long long>(near)) - 1;
      __syncwarp();
      space.pair_by_pair.store(work.bodies[slot(first, chunk)]);
      __syncwarp();
      if (first + chunk / chunks_of_tile == own) {
        const int before = -bodies_of_chunk * (chunk % chunks_of_tile);
        meet<false, true, 1, 0>(body, sum, space.pair_by_pair, work.softening2, before);
      } else {
        work.sums.add(slot(first, chunk), position_of(meet<false, false, 2, 2>(
                                              body, sum, space.pair_by_pair, work.softening2, 0)));
      }
    }
    for (int k = 0; k < 4; ++k) work.sums.add(slot(own, k), position_of(sum[k]));
    __syncwarp();
  }

  __device__ void begin_sums() {
    q = 2 * power_below(fmaxf(work.tiles[own].radius, 0x1p-60f));
    for (int k = 0; k < 4; ++k) {
      const real4 i = work.bodies[slot(own, k)];
      const float3 u = reciprocal(q) * (position_of(i) - centre);
      const float mass = i.w * reciprocal(unit_of_i);
      space.rows[32 * k + lane()] = row_of(u);
      space.of_i[32 * k + lane()] = moments_of(mass, mass * u);
    }
    products.clear();
    unit = 1;
    common = {};
    __syncwarp();
  }

  // All lengths of the chunk are in units of 1/s, about the distance of its nearest body. Returns
  // the force on j, sum w m_i (u - y).
  __device__ float3 add_far_chunk(float mass_of_j, float unit_of_j, const float3& y, float r2,
                                  float nearest2, float farthest2) {
    const float softened = nearest2 + work.softening2;
    const float s = reciprocal(power_below(softened * estimate_of_rsqrt(softened)));
    const float s2 = s * s, s3 = s2 * s;
    space.columns[lane()] = column_of(s * y, s2 * (r2 + work.softening2), s * q);
    // Sums whose unit is not within a factor of 4 of the chunk's change to that.
    const float ratio = unit * reciprocal(unit_of_j * s2);
    if (ratio < 0.25f || ratio > 4) products.multiply(ratio), unit = unit_of_j * s2;
    const float mass = mass_of_j * (s2 * reciprocal(unit));
    space.of_j[lane()] = moments_of(mass * (s * q), mass * (s * y));
    const float root = estimate_of_rsqrt(s2 * farthest2), smallest = root * root * root;
    __syncwarp();
    products.add_chunk(space, smallest);

    const float w = s3 * smallest, m = unit_of_i * s3;
    const float3 moment = position_of(common) + w * mass_of_j * y;
    common = {moment.x, moment.y, moment.z, common.w + w * mass_of_j};
    const Tile& tile = work.tiles[own];
    const real4 sums = found();
    __syncwarp();
    return m * q * position_of(sums) + w * tile.rest - (m * sums.w + w * tile.mass) * y;
  }

  // The force on i is sum w m_j (y - u).
  __device__ void end_sums() {
    const auto sum = [](float x) { return over_warp(x, [](float a, float b) { return a + b; }); };
    const real4 all{sum(common.x), sum(common.y), sum(common.z), sum(common.w)};
    for (int k = 0; k < 4; ++k) {
      products.store(k, space);
      const real4 sums = found();
      const float3 u = position_of(work.bodies[slot(own, k)]) - centre;
      work.sums.add(slot(own, k),
                    unit * position_of(sums) + position_of(all) - (unit * sums.w / q + all.w) * u);
      __syncwarp();
    }
  }
};

// Each warp of a block takes tasks until none are left; no sum depends on which warp takes which.
constexpr int warps = 2;
template <typename Products>
__global__ __launch_bounds__(32 * warps,
                             8) void add_products(const __grid_constant__ MatrixWork work,
                                                  unsigned* next_task) {
  __shared__ WarpSpace spaces[warps];
  WarpTask<Products> task(spaces[threadIdx.x / 32], work);
  for (;;) {
    const unsigned taken = threadIdx.x % 32 == 0 ? atomicAdd(next_task, 1) : 0;
    const unsigned number = __shfl_sync(0xffffffff, taken, 0) * work.gpus + work.gpu;
    if (number >= work.count * work.groups) return;
    task.run(number / work.groups, number % work.groups * work.of_group);
  }
}

// 6. The launch

// Base: ThirdLaw, or what divides its pairs among several GPUs (part 4).
template <typename Products, typename Base>
class OnTensorCores : public Base {
 public:
  explicit OnTensorCores(const Problem& problem) : Base(problem) {
    static_assert(std::is_same_v<real, float>, "half precision is too coarse for double");
    const std::vector<real>& mass = problem.bodies.mass;
    heavy = static_cast<float>(std::accumulate(mass.begin(), mass.end(), 0.0) / 256);
    sort_keys(nullptr);
    space = DeviceArray<char>(bytes);
  }

 protected:
  using Base::n, Base::G, Base::softening2, Base::gpu, Base::stream;

  // ThirdLaw finds the neighbours for an adaptive step, and computes the forces of few bodies.
  bool suits(bool neighbours) const {
    return !neighbours && n >= fewest_bodies && n <= std::size_t{1} << 24;  // tasks have 32 bits
  }

  void launch_products(Arrays bodies, Arrays acceleration) {
    if (launches++ % 8 == 0) {
      find_keys<<<blocks_for(n, 128), 128, 0, stream>>>(bodies, n, heavy, keys.data(),
                                                        unsorted.data());
      sort_keys(space.data());
    }
    make_tiles<<<count, bodies_of_tile, 0, stream>>>(bodies, n, numbers.data(), heavy,
                                                     in_slots.data(), tiles.data());
    constexpr auto kernel = add_products<Products>;
    const unsigned blocks = blocks_at_once(kernel, 32 * warps), gpus = unsigned(gpu.of);
    const unsigned enough_tasks = 8 * warps * blocks * gpus;
    unsigned of_group = 16;
    while (of_group > 1 && count * blocks_for(count, of_group) < enough_tasks) of_group /= 2;
    const FixedSums fixed{sums.data(), in_slots.size()};
    const MatrixWork work{
        in_slots.data(),      tiles.data(), count,      of_group, blocks_for(count, of_group),
        unsigned(gpu.number), gpus,         softening2, fixed};
    cuda_check(cudaMemsetAsync(sums.data(), 0, sums.size() * sizeof(unsigned long long), stream));
    cuda_check(cudaMemsetAsync(next_task.data(), 0, sizeof(unsigned), stream));
    kernel<<<blocks, 32 * warps, 0, stream>>>(work, next_task.data());
    read_sums<<<blocks_for(n, 256), 256, 0, stream>>>(fixed, numbers.data(), n, G, acceleration);
  }

 private:
  float heavy;                                     // bodies above this are computed pair by pair
  unsigned count = blocks_for(n, bodies_of_tile);  // of tiles
  DeviceArray<std::uint64_t> keys{n}, sorted_keys{n};
  DeviceArray<unsigned> unsorted{n}, numbers{n};  // slot k has the body with number numbers[k]
  std::size_t bytes = 0;                          // of space, for sorting
  DeviceArray<char> space{0};
  DeviceArray<Tile> tiles{count};
  DeviceArray<real4> in_slots{std::size_t{count} * bodies_of_tile};
  DeviceArray<unsigned long long> sums{FixedSums::arrays * in_slots.size()};
  DeviceArray<unsigned> next_task{1};
  std::uint64_t launches = 0;

  // With `where` null, finds out how many bytes that needs.
  void sort_keys(void* where) {
    cuda_check(cub::DeviceRadixSort::SortPairs(where, bytes, keys.data(), sorted_keys.data(),
                                               unsorted.data(), numbers.data(), static_cast<int>(n),
                                               0, 64, stream));
  }
};

template <typename Products>
class MatrixVersion : public OnTensorCores<Products, ThirdLaw> {
 public:
  using OnTensorCores<Products, ThirdLaw>::OnTensorCores;

 protected:
  void launch_accelerations(bool neighbours) override {
    if (!this->suits(neighbours)) return ThirdLaw::launch_accelerations(neighbours);
    this->launch_products(this->bodies.view(), this->acceleration.view());
  }
};

using Matrix = MatrixVersion<TensorProducts>;

}  // namespace nbody
