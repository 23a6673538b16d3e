// Problem: split computes the force between two bodies twice.
// Idea: each pair once, for both. A warp has 32 x I bodies i in registers, I per lane, and takes 32
// bodies j in 32 turns: in turn t lane l has j = l + t, then the sum of the reactions on j moves on
// to the next lane (shuffle). Blocks of bodies are paired in rounds (support/third_law_plan.hpp).
// Every sum is written to a slot of its own, and a second kernel adds them in a fixed order: no
// atomics, and two runs give the same bits.
// Predicted: 1.51 x, from 17.9 instructions for two interactions instead of 13.5 for one.
// Measured: 1.47 x.
// Why: nearly as predicted: split fills 86 % of its issue slots, this 85 % (ncu). What takes the
// rest are operands that wait for the registers.
// Limit: issue slots
#pragma once

#include <algorithm>
#include <optional>

#include "cuda/occupancy.cuh"
#include "support/third_law_kernel.cuh"

namespace nbody {

// Bodies per lane, warps per block, unroll factor, how many bodies ahead a root is requested,
// blocks per multiprocessor. Measured.
struct ThirdLawShape {
  int I, W, unroll, ahead, min_blocks;
  constexpr int threads() const { return 32 * W; }
  constexpr int block_size() const { return threads() * I; }
};

class ThirdLaw : public PaddedArrays {
 public:
  explicit ThirdLaw(const Problem& problem, OneGpu gpu = {})
      : PaddedArrays(problem, std::max(forces.block_size(), both.block_size())), gpu(gpu) {}

 protected:
  void launch_accelerations(bool neighbours) override {
    if (neighbours) {
      launch<both, true>(partials_of_both);
    } else {
      launch<forces, false>(partials_of_forces);
    }
  }

  const OneGpu gpu;  // of several (part 4), it leaves only the forces of its own chunks

 private:
  static constexpr bool is_float = sizeof(real) == 4;
  // Forces alone, and with the squared distances of the nearest neighbours.
  static constexpr ThirdLawShape forces =
      is_float ? ThirdLawShape{9, 4, 2, 2, 3} : ThirdLawShape{4, 4, 1, 0, 3};
  static constexpr ThirdLawShape both =
      is_float ? ThirdLawShape{16, 4, 2, 6, 2} : ThirdLawShape{4, 2, 1, 0, 6};

  // What is added up at the end.
  struct Partials {
    ThirdLawPlan plan;
    DeviceArrays sums_of_i, sums_of_j;
  };
  std::optional<Partials> partials_of_forces, partials_of_both;

  template <ThirdLawShape shape, bool neighbours>
  void launch(std::optional<Partials>& partials) {
    constexpr auto kernel = accelerations_by_pairs<shape.I, shape.W, neighbours, shape.unroll,
                                                   shape.ahead, shape.min_blocks>;
    if (!partials)
      partials = partials_for(shape, static_cast<int>(blocks_at_once(kernel, shape.threads())));
    const ThirdLawPlan& plan = partials->plan;
    if (plan.own_chunks > 0) {
      kernel<<<static_cast<unsigned>(plan.own_chunks), shape.threads(), 0, stream>>>(
          bodies.view(), plan, softening2, partials->sums_of_i.view(), partials->sums_of_j.view());
    }
    add_partials<neighbours><<<blocks_for(n, block), block, 0, stream>>>(
        plan, shape.block_size(), static_cast<int>(n), G, partials->sums_of_i.view(),
        partials->sums_of_j.view(), acceleration.view());
  }

  Partials partials_for(const ThirdLawShape& shape, int at_once) const {
    const auto size = static_cast<std::size_t>(shape.block_size());
    const auto blocks = static_cast<int>(blocks_for(n, shape.block_size()));
    const ThirdLawPlan plan = third_law_plan(blocks, shape.I, at_once, gpu);
    Partials partials{plan, DeviceArrays(plan.i_sums() * size), DeviceArrays(plan.j_sums() * size)};
    if (gpu.of > 1) {
      for (DeviceArrays* part : {&partials.sums_of_i, &partials.sums_of_j}) {
        clear_partial_sums<<<blocks_for(part->size(), block), block, 0, stream>>>(part->view(),
                                                                                  part->size());
      }
    }
    return partials;
  }
};

}  // namespace nbody
