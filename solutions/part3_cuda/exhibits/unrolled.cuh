// Problem: some instructions of an interaction only count and jump.
// Idea: --unroll interactions per iteration; the compiler unrolls the loop. The number is a
// parameter of the kernel, so there is a kernel for each.
// Predicted: 1.04 x with 8, since 16.25 instructions become 15.6; the compiler had unrolled by 4.
// Measured: 1.04 x. With 262144 bodies --unroll 1, 2, 4, 8, 16, 32 give 0.84, 0.93, 1.00, 1.04,
// 1.05, 1.07 x.
// Why: as predicted: the units that compute are busy here, so an instruction less is time less.
#pragma once

#include "../04_tiles.cuh"

namespace nbody {

class Unrolled : public Tiles {
 public:
  static constexpr std::array unrolls = {8u, 1u, 2u, 4u, 16u, 32u};  // the first is the default

  explicit Unrolled(const Problem& problem)
      : Tiles(problem), kernel(kernel_for<0>(problem.tuning.unroll)) {}

  void compute_accelerations() override {
    timed("accelerations", [&] {
      kernel<<<blocks_for(n, block), block, block * sizeof(real4)>>>(bodies.data(), n, G, softening,
                                                                     acceleration.data());
    });
  }

 private:
  using Kernel = void (*)(const real4*, std::size_t, real, real, real4*);
  Kernel kernel;

  template <std::size_t k>
  static Kernel kernel_for(unsigned unroll) {
    if constexpr (k + 1 < unrolls.size()) {
      if (unroll != unrolls[k]) return kernel_for<k + 1>(unroll);
    }
    return accelerations_by_tiles<unrolls[k]>;
  }
};

}  // namespace nbody
