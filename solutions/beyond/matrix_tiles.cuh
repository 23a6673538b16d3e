#pragma once

#include "../part3_cuda/support/warp_reduce.cuh"
#include "halves.cuh"

namespace nbody {

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

// Powers of two are only an exponent: the largest one up to x > 0, twice it, and the reciprocal of
// one.
__device__ inline float power_below(float x) {
  return __uint_as_float(__float_as_uint(x) & 0x7f800000);
}
__device__ inline float power_above(float x) { return 2 * power_below(x); }
__device__ inline float reciprocal(float power) {
  return __uint_as_float(0x7f000000 - __float_as_uint(power));
}

// One block of 128 threads per tile: moves its bodies to their places and describes them. Pair by
// pair: a tile with a heavy body, with fewer than 128 bodies, or with one far beyond all others.
__global__ void make_tiles(Arrays bodies, std::size_t n, const unsigned* numbers, float heavy,
                           real4* placed, Tile* tiles) {
  __shared__ float of_warp[bodies_of_tile / 32];
  const std::size_t first = std::size_t{blockIdx.x} * bodies_of_tile, place = first + threadIdx.x;
  const real4 body =
      place < n ? at(bodies, numbers[place]) : real4{far_away, far_away, far_away, 0};
  placed[place] = body;

  const auto sum = [&](float x) {
    return over_block<bodies_of_tile>(x, of_warp, [](float a, float b) { return a + b; });
  };
  const auto largest = [&](float x) {
    return over_block<bodies_of_tile>(x, of_warp, [](float a, float b) { return fmaxf(a, b); });
  };
  const real4 any = at(bodies, numbers[first]);
  const float3 from{any.x, any.y, any.z};
  const float3 x = place < n ? float3{body.x, body.y, body.z} : from;
  const float3 u = minus(x, from);
  Tile tile;
  tile.mass = sum(body.w);
  const float weight = tile.mass > 0 ? 1 / tile.mass : 0;
  tile.centre = {from.x + weight * sum(body.w * u.x), from.y + weight * sum(body.w * u.y),
                 from.z + weight * sum(body.w * u.z)};
  const float3 v = minus(x, tile.centre);
  tile.rest = {sum(body.w * v.x), sum(body.w * v.y), sum(body.w * v.z)};
  tile.radius = sqrtf(largest(square(v)));
  const float heaviest = largest(body.w);
  // Written so that non-finite values do not count as usual.
  const bool usual =
      first + bodies_of_tile <= n && heaviest <= heavy && tile.radius < sqrtf(no_neighbour);
  tile.mass_unit = usual ? power_above(heaviest) : 0;
  if (threadIdx.x == 0) tiles[blockIdx.x] = tile;
}

}  // namespace nbody
