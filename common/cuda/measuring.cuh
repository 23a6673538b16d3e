#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "cuda/ceiling_row.hpp"
#include "cuda/cuda_check.cuh"
#include "cuda/device_facts.hpp"
#include "cuda/steady_rates.hpp"

namespace nbody {

// Seconds between two points of the GPU's work, by its own clock.
class EventTimer {
 public:
  EventTimer() {
    cuda_check(cudaEventCreate(&start_));
    cuda_check(cudaEventCreate(&stop_));
  }
  ~EventTimer() {
    cudaEventDestroy(start_);
    cudaEventDestroy(stop_);
  }
  EventTimer(const EventTimer&) = delete;
  EventTimer& operator=(const EventTimer&) = delete;

  void start() { cuda_check(cudaEventRecord(start_)); }
  // Waits until the GPU has finished its work since then.
  double seconds() {
    cuda_check(cudaEventRecord(stop_));
    cuda_check(cudaEventSynchronize(stop_));
    float milliseconds = 0;
    cuda_check(cudaEventElapsedTime(&milliseconds, start_, stop_));
    return milliseconds * 1e-3;
  }

 private:
  cudaEvent_t start_ = nullptr, stop_ = nullptr;
};

// What is measured, and the resulting rows.
class Measuring {
 public:
  using Launch = std::function<void(unsigned times)>;

  explicit Measuring(const Effort& effort) : effort_(effort) {}

  // `amount`: flops, operations or bytes of launch(1).
  void add(CeilingRow row, double amount, const Launch& launch) {
    const auto seconds_of = [&](unsigned times) {
      timer_.start();
      launch(times);
      return timer_.seconds();
    };
    std::vector<double> rates = steady_rates(seconds_of, effort_);
    for (double& rate : rates) rate *= amount;
    set_rates(row, rates);
    rows.push_back(std::move(row));
  }

  std::vector<CeilingRow> rows;

 private:
  Effort effort_;
  EventTimer timer_;
};

inline CeilingRow bandwidth_row(const char* name, const char* operation, const char* level,
                                std::size_t array_bytes) {
  return {"bandwidth", name, operation, "", level, "byte/s", array_bytes};
}

void add_arithmetic(Measuring& measuring);
void add_memories(Measuring& measuring, const DeviceFacts& device);
void add_host_copies(Measuring& measuring);

}  // namespace nbody
