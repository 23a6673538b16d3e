#pragma once

#include <type_traits>

#include "matrix_task.cuh"
#include "near_order.cuh"
#include "third_law.cuh"

namespace nbody {

__global__ void read_sums(FixedSums sums, const unsigned* numbers, std::size_t n, float G,
                          Arrays acceleration) {
  const std::size_t place = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (place >= n) return;
  const unsigned i = numbers[place];
  acceleration.x[i] = G * sums.total(place, 0);
  acceleration.y[i] = G * sums.total(place, 1);
  acceleration.z[i] = G * sums.total(place, 2);
}

// Computes forces by matrix products; ThirdLaw finds the neighbours for an adaptive step, and
// computes the forces of few bodies: there it is faster, and too few errors of halves average out
// (log.md). Sums: MatrixSums or an equivalent. Only in float: products of halves are too coarse for
// double.
template <typename Sums>
class MatrixRung : public ThirdLaw {
 public:
  explicit MatrixRung(const Problem& problem)
      : ThirdLaw(problem),
        count(static_cast<int>(blocks_for(n, bodies_of_tile))),
        order(n),
        by_size(static_cast<std::size_t>(count)),
        ordered(n),
        tiles(static_cast<std::size_t>(count)),
        chunks(static_cast<std::size_t>(count) * chunks_of_tile),
        placed(static_cast<std::size_t>(count) * bodies_of_tile),
        numbers(FixedSums::arrays * placed.size()),
        next_task(1) {
    static_assert(std::is_same_v<real, float>);
    for (const real mass : problem.bodies.mass) total_mass += mass;
  }

 protected:
  void launch_accelerations(bool neighbours) override {
    if (neighbours || n < Sums::fewest_bodies) return ThirdLaw::launch_accelerations(neighbours);
    if (launches++ % launches_of_order == 0) find_order();
    place(ordered.data());
    meet();
  }

 private:
  static constexpr int warps = 2, min_blocks = 6, most_in_group = 16;
  static constexpr std::uint64_t launches_of_order = 8;

  int count;  // tiles
  NearOrder order;
  Sorter<float> by_size;
  DeviceArray<unsigned> ordered;  // the bodies' numbers, place by place
  DeviceArray<Tile> tiles;
  DeviceArray<Chunk> chunks;
  DeviceArray<real4> placed;
  DeviceArray<unsigned long long> numbers;
  DeviceArray<unsigned> next_task;
  double total_mass = 0;
  std::uint64_t launches = 0;

  unsigned grid() const { return static_cast<unsigned>(count); }
  float heavy() const { return static_cast<float>(total_mass / 256); }

  void place(const unsigned* numbers) {
    make_tiles<<<grid(), bodies_of_tile, 0, stream>>>(bodies.view(), n, numbers, heavy(),
                                                      placed.data(), tiles.data(), chunks.data());
  }
  void find_order() {
    order.sort(bodies.view(), heavy(), stream);
    place(order.numbers());
    find_sizes<<<blocks_for(grid(), block), block, 0, stream>>>(tiles.data(), count, by_size.key(),
                                                                by_size.number());
    by_size.sort(stream);
    put_tiles_in_order<<<grid(), bodies_of_tile, 0, stream>>>(
        order.numbers(), by_size.sorted_numbers(), n, ordered.data());
  }

  void meet() {
    constexpr auto kernel = meet_in_matrices<Sums, warps, min_blocks>;
    const unsigned blocks = blocks_at_once(kernel, 32 * warps);
    MatrixTasks tasks{count, most_in_group};
    while (tasks.of_group > 1 && tasks.count() < static_cast<int>(8 * warps * blocks)) {
      tasks.of_group /= 2;
    }
    const FixedSums sums{numbers.data(), placed.size()};
    cuda_check(
        cudaMemsetAsync(numbers.data(), 0, numbers.size() * sizeof(unsigned long long), stream));
    cuda_check(cudaMemsetAsync(next_task.data(), 0, sizeof(unsigned), stream));
    const MatrixWork work{placed.data(), tiles.data(), chunks.data(), softening2, sums};
    kernel<<<blocks, 32 * warps, 0, stream>>>(work, tasks, next_task.data());
    read_sums<<<blocks_for(n, block), block, 0, stream>>>(sums, ordered.data(), n, G,
                                                          acceleration.view());
  }
};

}  // namespace nbody
