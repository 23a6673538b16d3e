#pragma once

#include "arrays.cuh"
#include "warp_reduce.cuh"

namespace nbody {

constexpr int bodies_of_tile = 128;
constexpr int bodies_of_chunk = 32, chunks_of_tile = bodies_of_tile / bodies_of_chunk;

// Sums over some bodies: their mass M, their centre of mass c, rounded to float, and the remainder,
// sum m (x - c).
struct Moments {
  float mass;
  float3 centre, rest;
};

// Consecutive bodies of an order. `mass_unit` is a power of two above all masses. It is 0 if the
// tile has a heavy body, fewer than 128 bodies, or one far beyond all others; such a tile is
// computed pair by pair.
struct Tile {
  Moments all;
  float mass_unit;
  float radius;  // largest distance of a body from the centre
};
struct alignas(16) Chunk {
  Moments all;
  float mass_unit;  // of its tile
};

__device__ inline float3 minus(const float3& a, const float3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
__device__ inline float square(const float3& a) { return a.x * a.x + a.y * a.y + a.z * a.z; }

// Powers of two are only an exponent: the largest one up to x > 0, twice it, and the reciprocal of
// one.
__device__ inline float power_below(float x) {
  return __uint_as_float(__float_as_uint(x) & 0x7f800000);
}
__device__ inline float power_above(float x) { return 2 * power_below(x); }
__device__ inline float reciprocal(float power) {
  return __uint_as_float(0x7f000000 - __float_as_uint(power));
}

// `sum` adds a number over the bodies; all threads get the result.
template <typename Sum>
__device__ inline Moments moments_of(const real4& body, const float3& from, Sum sum) {
  Moments found{};
  found.mass = sum(body.w);
  const float3 u = minus({body.x, body.y, body.z}, from);
  const float weight = found.mass > 0 ? 1 / found.mass : 0;
  found.centre.x = from.x + weight * sum(body.w * u.x);
  found.centre.y = from.y + weight * sum(body.w * u.y);
  found.centre.z = from.z + weight * sum(body.w * u.z);
  const float3 v = minus({body.x, body.y, body.z}, found.centre);
  found.rest = {sum(body.w * v.x), sum(body.w * v.y), sum(body.w * v.z)};
  return found;
}

// One block of 128 threads per tile: moves its bodies to their places and describes them.
__global__ void make_tiles(Arrays bodies, std::size_t n, const unsigned* numbers, float heavy,
                           real4* placed, Tile* tiles, Chunk* chunks) {
  __shared__ float of_warp[bodies_of_tile / 32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const std::size_t place = std::size_t{blockIdx.x} * bodies_of_tile + threadIdx.x;
  const std::size_t first = std::size_t{blockIdx.x} * bodies_of_tile;
  const bool real_body = place < n;
  const real4 body =
      real_body ? at(bodies, numbers[place]) : real4{far_away, far_away, far_away, 0};
  placed[place] = body;

  const auto plus = [](float a, float b) { return a + b; };
  const auto larger = [](float a, float b) { return fmaxf(a, b); };
  const auto for_block = [&](float x, auto combine) {
    return over_block<bodies_of_tile>(x, of_warp, combine);
  };
  const real4 any = at(bodies, numbers[first]);
  const real4 counted = real_body ? body : real4{any.x, any.y, any.z, 0};
  const Moments all =
      moments_of(counted, {any.x, any.y, any.z}, [&](float x) { return for_block(x, plus); });
  const float3 u = minus({counted.x, counted.y, counted.z}, all.centre);
  const float radius = sqrtf(for_block(square(u), larger));
  const float largest = for_block(counted.w, larger);
  // Written so that non-finite values do not count as usual.
  const bool usual =
      first + bodies_of_tile <= n && largest <= heavy && radius < sqrtf(no_neighbour);
  const float mass_unit = usual ? power_above(largest) : 0;
  if (threadIdx.x == 0) tiles[blockIdx.x] = {all, mass_unit, radius};

  const auto for_warp = [&](float x) { return over_warp(x, plus); };
  const Moments chunk = moments_of(counted, all.centre, for_warp);
  if (lane == 0) chunks[blockIdx.x * chunks_of_tile + warp] = {chunk, mass_unit};
}

// Small tiles come first, tiles computed pair by pair last.
__global__ void find_sizes(const Tile* tiles, int count, float* key, unsigned* number) {
  const int t = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (t >= count) return;
  key[t] = tiles[t].mass_unit > 0 ? tiles[t].radius : no_neighbour;
  number[t] = static_cast<unsigned>(t);
}

// The bodies' numbers, tile by tile in a new order. Only the last tile may have fewer bodies; it
// stays last, since it sorts after all others.
__global__ void put_tiles_in_order(const unsigned* numbers, const unsigned* by_size, std::size_t n,
                                   unsigned* ordered) {
  const std::size_t place = std::size_t{blockIdx.x} * bodies_of_tile + threadIdx.x;
  const std::size_t from = std::size_t{by_size[blockIdx.x]} * bodies_of_tile + threadIdx.x;
  if (place < n) ordered[place] = numbers[from];
}

}  // namespace nbody
