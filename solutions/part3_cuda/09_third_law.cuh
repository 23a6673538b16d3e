#pragma once

#include <algorithm>
#include <optional>

#include "cuda/occupancy.cuh"
#include "support/third_law_kernel.cuh"

namespace nbody {

// Bodies per lane, warps per block, unroll factor, how many bodies ahead a root is requested,
// blocks per multiprocessor. Measured; see log.md.
struct ThirdLawShape {
  int I, W, unroll, ahead, min_blocks;
  constexpr int threads() const { return 32 * W; }
  constexpr int block_size() const { return threads() * I; }
};

// Problem: several_bodies computes the force between two bodies twice.
// Idea: each pair once, for both. A warp has 32 I bodies i in registers and meets 32 bodies j in 32
// turns: in turn t lane l meets j = l + t, then the sum for j moves on to the next lane. Every sum
// is written to its own place, and a second kernel adds them in a fixed order: no atomics, and two
// runs give the same bits.
// Changed: blocks meet in rounds (third_law_plan.hpp), the sums of j, shuffles. Both kernels are
// new.
// Predicted: 1.51 x split, from 17.9 instructions for two interactions instead of 13.5 for one.
// Measured: 1.47 x. What limits it now is in log.md: operands that wait for the
// registers.
class ThirdLaw : public PaddedArrays {
 public:
  explicit ThirdLaw(const Problem& problem, OneGpu gpu = {})
      : PaddedArrays(problem, std::max(forces.block_size(), both.block_size())), gpu(gpu) {}

 protected:
  void launch_accelerations(bool neighbours) override {
    if (neighbours) {
      launch<both, true>(pieces_of_both);
    } else {
      launch<forces, false>(pieces_of_forces);
    }
  }

  const OneGpu gpu;  // of several (part 4), it leaves only the pulls of its own shares

 private:
  static constexpr bool is_float = sizeof(real) == 4;
  // Forces alone, and with the squared distances of the nearest neighbours.
  static constexpr ThirdLawShape forces =
      is_float ? ThirdLawShape{9, 4, 2, 2, 3} : ThirdLawShape{4, 4, 1, 0, 3};
  static constexpr ThirdLawShape both =
      is_float ? ThirdLawShape{16, 4, 2, 6, 2} : ThirdLawShape{4, 2, 1, 0, 6};

  // What is added up at the end.
  struct Pieces {
    ThirdLawPlan plan;
    DeviceArrays of_i, of_j;
  };
  std::optional<Pieces> pieces_of_forces, pieces_of_both;

  template <ThirdLawShape shape, bool neighbours>
  void launch(std::optional<Pieces>& pieces) {
    constexpr auto kernel =
        meet_in_pairs<shape.I, shape.W, neighbours, shape.unroll, shape.ahead, shape.min_blocks>;
    if (!pieces)
      pieces = pieces_for(shape, static_cast<int>(blocks_at_once(kernel, shape.threads())));
    const ThirdLawPlan& plan = pieces->plan;
    if (plan.own_shares > 0) {
      kernel<<<static_cast<unsigned>(plan.own_shares), shape.threads(), 0, stream>>>(
          bodies.view(), plan, softening2, pieces->of_i.view(), pieces->of_j.view());
    }
    add_pieces<neighbours><<<blocks_for(n, block), block, 0, stream>>>(
        plan, shape.block_size(), static_cast<int>(n), G, pieces->of_i.view(), pieces->of_j.view(),
        acceleration.view());
  }

  Pieces pieces_for(const ThirdLawShape& shape, int at_once) const {
    const auto size = static_cast<std::size_t>(shape.block_size());
    const auto blocks = static_cast<int>(blocks_for(n, shape.block_size()));
    const ThirdLawPlan plan = third_law_plan(blocks, shape.I, at_once, gpu);
    Pieces pieces{plan, DeviceArrays(plan.i_sums() * size), DeviceArrays(plan.j_sums() * size)};
    if (gpu.of > 1) {
      for (DeviceArrays* part : {&pieces.of_i, &pieces.of_j}) {
        clear_partial_sums<<<blocks_for(part->size(), block), block, 0, stream>>>(part->view(),
                                                                                  part->size());
      }
    }
    return pieces;
  }
};

}  // namespace nbody
