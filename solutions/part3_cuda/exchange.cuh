#pragma once

#include "exchange_geometry.hpp"
#include "exchange_kernel.cuh"
#include "few_bodies.cuh"
#include "many_steps.cuh"

namespace nbody {

// Problem: a step of many_steps is three kernels, and one starts when the one before has ended
// everywhere: 10 us, when 1024 bodies are half a microsecond of work.
// Idea: one launch for all steps. Each block keeps a copy of all bodies in shared memory and sends
// the accelerations of its own to the others, with a mark of the step in each message: no barrier.
// Up to 16 bodies (in double 32) one warp does everything.
// Changed: advance. More bodies than fit, or more than 32 in double: as before.
// Predicted with 1024 bodies: 1 us a step. Measured: 1.94 us, 5.5 x many_steps; 4096 bodies 11.7
// us, 2.0 x; six bodies 0.35 us. Where the second half of the 1.94 us goes is not known.
template <typename T>
class Exchange : public ManySteps<T> {
 public:
  explicit Exchange(const Problem<T>& problem) : ManySteps<T>(problem) {
    int device = 0;
    check(cudaGetDevice(&device));
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    check(cudaDeviceGetAttribute(&most_shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  }

  double advance(std::uint64_t count, const StepRule& rule) override {
    if (count == 0) return 0;
    if (!advance_in_one_launch(count, rule)) return ManySteps<T>::advance(count, rule);
    const double time = this->time_of_clock();  // and all steps are done
    // In float dt is rounded; the time need not be.
    return rule.adaptive ? time : static_cast<double>(count) * rule.dt;
  }

 private:
  int multiprocessors = 0, most_shared = 0;
  DeviceArray<Message> messages{1};

  bool advance_in_one_launch(std::uint64_t count, const StepRule& rule) {
    const Steps<T> steps{count, static_cast<T>(rule.dt), static_cast<T>(rule.dt_floor)};
    if (this->n <= (sizeof(T) == 4 ? 16 : 32)) {
      timed("one_warp", [&] {
        (rule.adaptive ? one_warp<T, true> : one_warp<T, false>)<<<1, 32>>>(
            static_cast<int>(this->n), this->bodies.view(), this->velocity.view(),
            this->acceleration.view(), this->G, this->softening2, steps, this->clock());
      });
      return true;
    }
    if constexpr (sizeof(T) == 4)
      return rule.adaptive ? exchange<true>(steps) : exchange<false>(steps);
    return false;
  }

  template <bool adaptive>
  bool exchange(const Steps<float>& steps) {
    return try_shape<adaptive, 0>(steps) || try_shape<adaptive, 1>(steps) ||
           try_shape<adaptive, 2>(steps) || try_shape<adaptive, 3>(steps);
  }

  template <bool adaptive, std::size_t which>
  bool try_shape(Steps<float> steps) {
    constexpr ExchangeShape shape = exchange_shapes[which];
    if (!shape.suits(this->n, static_cast<std::size_t>(multiprocessors),
                     static_cast<std::size_t>(most_shared))) {
      return false;
    }
    constexpr int unroll = shape.per_thread == 1 ? 1 : 4;
    const auto kernel =
        exchange_steps<shape.own, shape.I, shape.threads, shape.per_thread, adaptive, unroll>;
    const std::size_t shared = shape.shared_bytes(this->n);
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(shared)));
    if (messages.size() < shape.messages(this->n)) {
      messages = DeviceArray<Message>(shape.messages(this->n));
    }
    // No first message looks like this.
    check(cudaMemset(messages.data(), 0xff, messages.size() * sizeof(Message)));
    int n = static_cast<int>(this->n);
    Arrays<float> bodies = this->bodies.view(), velocity = this->velocity.view();
    Arrays<float> acceleration = this->acceleration.view();
    float G = this->G, softening2 = this->softening2;
    Message* box = messages.data();
    double* time = this->clock();
    std::array<void*, 9> arguments = {&n,          &bodies, &velocity, &acceleration, &G,
                                      &softening2, &steps,  &box,      &time};
    // Cooperative: all blocks run at once, or none.
    timed("exchange", [&] {
      check(cudaLaunchCooperativeKernel(kernel, dim3(shape.blocks(this->n)), dim3(shape.threads),
                                        arguments.data(), shared, nullptr));
    });
    return true;
  }
};

}  // namespace nbody
