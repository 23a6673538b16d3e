#pragma once

#include "../part3_cuda/08_many_steps.cuh"
#include "cuda/occupancy.cuh"
#include "exchange_geometry.hpp"
#include "exchange_kernel.cuh"
#include "few_bodies.cuh"

namespace nbody {

// Problem: a step of split or many_steps is three kernels, and each starts only after the previous
// one has ended everywhere: split takes 11.6 us for 1024 bodies, which are half a microsecond of
// work.
// Idea: one launch for all steps. Each block keeps a copy of all bodies in shared memory and sends
// the accelerations of its own bodies to the others. Each message carries a mark of its step, so no
// barrier is needed. Up to 16 bodies (in double 32) one warp does everything.
// Changed: advance. More bodies than fit, or more than 32 in double: as before.
// Predicted: 1 with 131072 bodies; with 1024, 1 us per step. Measured: 1.00 x many_steps; with 1024
// bodies 1.95 us, 5.9 x split, with 4096 11.6 us, 2.0 x (both measured as best, which uses this
// rung there); six bodies 0.35 us. Stamped with clock64(), threads show 2900 to 3600 of some 3900
// cycles: pulls and their sum 1840 to 2090 (float4's 17.5 instructions a pull would need 1120),
// sending 480 in the warp that adds up and 70 to 100 elsewhere, waiting 430 to 1460 (a message
// takes 510 to 730), moving and the barrier 130 to 630 (data/results/part3_exchange_phases.txt).
class Exchange : public ManySteps {
 public:
  using ManySteps::ManySteps;

  double advance(std::uint64_t count, const StepRule& rule) override {
    if (count == 0) return 0;
    if (!advance_in_one_launch(count, rule)) return ManySteps::advance(count, rule);
    const double time = time_of_clock();  // and all steps are done
    // In float dt is rounded; the total time need not be.
    return rule.adaptive ? time : static_cast<double>(count) * rule.dt;
  }

 private:
  std::size_t most_blocks = multiprocessors();
  std::size_t most_shared =
      static_cast<std::size_t>(device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
  DeviceArray<Message> messages{1};

  bool advance_in_one_launch(std::uint64_t count, const StepRule& rule) {
    const Steps steps{count, static_cast<real>(rule.dt), static_cast<real>(rule.dt_floor)};
    if (n <= (sizeof(real) == 4 ? 16 : 32)) {
      timed("one_warp", [&] {
        (rule.adaptive ? one_warp<true> : one_warp<false>)<<<1, 32>>>(
            static_cast<int>(n), bodies.view(), velocity.view(), acceleration.view(), G, softening2,
            steps, clock());
      });
      return true;
    }
    // Only in float is a message one piece.
    if constexpr (sizeof(real) == 4) {
      return rule.adaptive ? exchange<true>(steps) : exchange<false>(steps);
    }
    return false;
  }

  template <bool adaptive>
  bool exchange(const Steps& steps) {
    return try_shape<adaptive, 0>(steps) || try_shape<adaptive, 1>(steps) ||
           try_shape<adaptive, 2>(steps) || try_shape<adaptive, 3>(steps);
  }

  template <bool adaptive, int which>
  bool try_shape(Steps steps) {
    constexpr ExchangeShape shape = exchange_shapes[which];
    if (!shape.suits(n, most_blocks, most_shared)) return false;
    const auto kernel = exchange_steps<which, adaptive>;
    const std::size_t shared = shape.shared_bytes(n);
    cuda_check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    static_cast<int>(shared)));
    if (messages.size() < shape.messages(n)) {
      messages = DeviceArray<Message>(shape.messages(n));
    }
    // No first message looks like this.
    cuda_check(cudaMemset(messages.data(), 0xff, messages.size() * sizeof(Message)));
    int number = static_cast<int>(n);
    Arrays q = bodies.view(), v = velocity.view(), a = acceleration.view();
    Message* box = messages.data();
    double* time = clock();
    std::array<void*, 9> arguments = {&number, &q, &v, &a, &G, &softening2, &steps, &box, &time};
    // Cooperative: all blocks run at once, or none.
    timed("exchange", [&] {
      cuda_check(cudaLaunchCooperativeKernel(kernel, dim3(shape.blocks(n)), dim3(shape.threads),
                                             arguments.data(), shared, nullptr));
    });
    return true;
  }
};

}  // namespace nbody
