#pragma once

#include <cuda_runtime.h>

#include "cuda/check.cuh"

namespace nbody {

// Seconds between two points of the GPU's work, by its own clock.
class EventTimer {
 public:
  EventTimer() {
    check(cudaEventCreate(&start_));
    check(cudaEventCreate(&stop_));
  }
  ~EventTimer() {
    cudaEventDestroy(start_);
    cudaEventDestroy(stop_);
  }
  EventTimer(const EventTimer&) = delete;
  EventTimer& operator=(const EventTimer&) = delete;

  void start() { check(cudaEventRecord(start_)); }
  // Waits until the GPU has finished its work since then.
  double seconds() {
    check(cudaEventRecord(stop_));
    check(cudaEventSynchronize(stop_));
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, start_, stop_));
    return milliseconds * 1e-3;
  }

 private:
  cudaEvent_t start_ = nullptr, stop_ = nullptr;
};

}  // namespace nbody
