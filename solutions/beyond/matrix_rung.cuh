#pragma once

#include <type_traits>

#include "../part3_cuda/09_third_law.cuh"
#include "hilbert_order.cuh"
#include "matrix_warp.cuh"

namespace nbody {

// Each warp takes tasks until none are left; no sum depends on which warp takes which.
template <typename Sums, int warps, int min_blocks>
__global__ __launch_bounds__(32 * warps, min_blocks) void meet_in_matrices(
    const __grid_constant__ MatrixWork work, unsigned* next_task) {
  __shared__ WarpSpace spaces[warps];
  MatrixWarp<Sums> warp(spaces[threadIdx.x / 32], work);
  for (;;) {
    const unsigned taken = threadIdx.x % 32 == 0 ? atomicAdd(next_task, 1) : 0;
    const unsigned task = __shfl_sync(0xffffffff, taken, 0) * work.gpus + work.gpu;
    if (task >= work.count * work.groups()) return;
    warp.do_task(task / work.groups(), task % work.groups() * work.of_group);
  }
}

__global__ void read_sums(FixedSums sums, const unsigned* numbers, std::size_t n, float G,
                          Arrays acceleration) {
  const std::size_t place = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (place >= n) return;
  const unsigned i = numbers[place];
  acceleration.x[i] = G * sums.total(place, 0);
  acceleration.y[i] = G * sums.total(place, 1);
  acceleration.z[i] = G * sums.total(place, 2);
}

// Forces by matrix products, only in float: products of halves are too coarse for double. Of
// several GPUs (part 4) each finds the pulls of its own tasks.
template <typename Sums>
class MatrixForces {
 public:
  explicit MatrixForces(const Problem& problem, OneGpu one = {})
      : n(problem.bodies.size()),
        G(problem.G),
        softening2(problem.softening * problem.softening),
        gpu(static_cast<unsigned>(one.number)),
        gpus(static_cast<unsigned>(one.of)),
        count(blocks_for(n, bodies_of_tile)),
        order(n),
        tiles(count),
        placed(std::size_t{count} * bodies_of_tile),
        numbers(FixedSums::arrays * placed.size()),
        next_task(1) {
    static_assert(std::is_same_v<real, float>);
    double mass = 0;
    for (const real m : problem.bodies.mass) mass += m;
    heavy = static_cast<float>(mass / 256);
  }

  // Too few bodies: third_law is faster, and too few errors of halves average out (log.md).
  bool suits() const { return n >= Sums::fewest_bodies && n <= most_bodies; }

  void launch(Arrays bodies, Arrays acceleration, cudaStream_t stream) {
    if (launches++ % launches_of_order == 0) order.sort(bodies, heavy, stream);
    make_tiles<<<count, bodies_of_tile, 0, stream>>>(bodies, n, order.numbers(), heavy,
                                                     placed.data(), tiles.data());
    constexpr auto kernel = meet_in_matrices<Sums, warps, min_blocks>;
    const unsigned blocks = blocks_at_once(kernel, 32 * warps);
    const unsigned enough_tasks = 8 * warps * blocks * gpus;
    unsigned of_group = 16;
    while (of_group > 1 && count * blocks_for(count, of_group) < enough_tasks) of_group /= 2;
    const FixedSums sums{numbers.data(), placed.size()};
    cuda_check(
        cudaMemsetAsync(numbers.data(), 0, numbers.size() * sizeof(unsigned long long), stream));
    cuda_check(cudaMemsetAsync(next_task.data(), 0, sizeof(unsigned), stream));
    const MatrixWork work{.bodies = placed.data(),
                          .tiles = tiles.data(),
                          .count = count,
                          .of_group = of_group,
                          .gpu = gpu,
                          .gpus = gpus,
                          .softening2 = softening2,
                          .sums = sums};
    kernel<<<blocks, 32 * warps, 0, stream>>>(work, next_task.data());
    read_sums<<<blocks_for(n, block), block, 0, stream>>>(sums, order.numbers(), n, G,
                                                          acceleration);
  }

 private:
  static constexpr int warps = 2, min_blocks = 8;
  static constexpr unsigned block = 256;
  static constexpr std::uint64_t launches_of_order = 8;
  static constexpr std::size_t most_bodies = std::size_t{1} << 24;  // tasks have 32 bits

  std::size_t n;
  real G, softening2;
  unsigned gpu, gpus;
  unsigned count;  // tiles
  float heavy;     // bodies above this are met pair by pair
  HilbertOrder order;
  DeviceArray<Tile> tiles;
  DeviceArray<real4> placed;
  DeviceArray<unsigned long long> numbers;
  DeviceArray<unsigned> next_task;
  std::uint64_t launches = 0;
};

// A rung of part 3; ThirdLaw finds the neighbours for an adaptive step, and computes the forces of
// few bodies.
template <typename Sums>
class MatrixRung : public ThirdLaw {
 public:
  explicit MatrixRung(const Problem& problem) : ThirdLaw(problem), by_matrices(problem) {}

 protected:
  void launch_accelerations(bool neighbours) override {
    if (neighbours || !by_matrices.suits()) return ThirdLaw::launch_accelerations(neighbours);
    by_matrices.launch(bodies.view(), acceleration.view(), stream);
  }

 private:
  MatrixForces<Sums> by_matrices;
};

}  // namespace nbody
