#pragma once

#include <algorithm>
#include <optional>

#include "third_law_kernel.cuh"

namespace nbody {

// Bodies of a lane, warps of a block, turns written out, how many bodies ahead a root is asked for,
// blocks of a multiprocessor. Measured; see docs/part3_log.md.
struct ThirdLawShape {
  int I, W, unroll, ahead, min_blocks;
  constexpr int threads() const { return 32 * W; }
  constexpr int block_size() const { return threads() * I; }
};

// Problem: several_bodies computes the force between two bodies twice.
// Idea: each pair once, for both. A warp has 32 I bodies i in registers and meets 32 bodies j in 32
// turns: in turn t lane l meets j = l + t, then the sum for j moves on to the next lane. Every sum
// is written to its own place, and a second kernel adds them up in a fixed order: no atomics, and
// two runs give the same bits.
// Changed: blocks meet in rounds (third_law_plan.hpp), the sums of j, shuffles.
// Predicted: 1.51 x split, 17.9 instructions for two interactions, not 13.5 for one. Measured:
// 1.47 x. What is left is in docs/part3_log.md: operands that wait for the registers.
template <typename T>
class ThirdLaw : public PaddedArrays<T> {
 public:
  explicit ThirdLaw(const Problem<T>& problem)
      : PaddedArrays<T>(problem, std::max(forces.block_size(), both.block_size())) {}

 protected:
  void launch_accelerations(bool neighbours) override {
    if (neighbours) {
      launch<both, true>(pieces_of_both);
    } else {
      launch<forces, false>(pieces_of_forces);
    }
  }

 private:
  static constexpr bool is_float = sizeof(T) == 4;
  // Forces alone, and with the squared distances of the nearest neighbours.
  static constexpr ThirdLawShape forces =
      is_float ? ThirdLawShape{9, 4, 2, 2, 3} : ThirdLawShape{4, 4, 1, 0, 3};
  static constexpr ThirdLawShape both =
      is_float ? ThirdLawShape{16, 4, 2, 6, 2} : ThirdLawShape{4, 2, 1, 0, 6};

  // What is added up at the end.
  struct Pieces {
    ThirdLawPlan plan;
    DeviceArrays<T> of_i, of_j;
  };
  std::optional<Pieces> pieces_of_forces, pieces_of_both;

  template <ThirdLawShape shape, bool neighbours>
  void launch(std::optional<Pieces>& pieces) {
    constexpr auto kernel =
        meet_in_pairs<T, shape.I, shape.W, neighbours, shape.unroll, shape.ahead, shape.min_blocks>;
    if (!pieces) pieces = pieces_for(shape, resident_blocks_of(kernel, shape.threads()));
    const ThirdLawPlan& plan = pieces->plan;
    kernel<<<static_cast<unsigned>(plan.shares), shape.threads(), 0, this->stream>>>(
        this->bodies.view(), plan, this->softening2, pieces->of_i.view(), pieces->of_j.view());
    add_pieces<T, neighbours><<<blocks_for(this->n, this->block), this->block, 0, this->stream>>>(
        plan, shape.block_size(), static_cast<int>(this->n), this->G, pieces->of_i.view(),
        pieces->of_j.view(), this->acceleration.view());
  }

  template <typename Kernel>
  static int resident_blocks_of(Kernel kernel, int threads) {
    int device = 0, multiprocessors = 0, resident = 0;
    check(cudaGetDevice(&device));
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, 0));
    return multiprocessors * resident;
  }

  Pieces pieces_for(const ThirdLawShape& shape, int most_shares) const {
    const auto size = static_cast<std::size_t>(shape.block_size());
    const auto blocks = static_cast<int>(blocks_for(this->n, shape.block_size()));
    const ThirdLawPlan plan = third_law_plan(blocks, shape.I, most_shares);
    return {plan, DeviceArrays<T>(plan.i_sums() * size), DeviceArrays<T>(plan.j_sums() * size)};
  }
};

}  // namespace nbody
