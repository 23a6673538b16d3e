#include <vector>

#include "cuda/profile.hpp"
#include "cuda/timed.cuh"
#include "machine/clock.hpp"

namespace nbody {
namespace {

using machine::seconds_now;

struct Pending {
  const char* name;
  std::size_t bytes;
  cudaEvent_t start, stop;
};

// One thread of the host launches.
bool profiling = false;
Profile profile;
std::vector<Pending> pending;
std::vector<cudaEvent_t> unused;

cudaEvent_t an_event() {
  cudaEvent_t event = nullptr;
  if (unused.empty()) {
    cuda_check(cudaEventCreate(&event));
  } else {
    event = unused.back();
    unused.pop_back();
  }
  return event;
}

// Waits for the last of them.
void read_pending() {
  for (const Pending& one : pending) {
    float milliseconds = 0;
    cuda_check(cudaEventSynchronize(one.stop));
    cuda_check(cudaEventElapsedTime(&milliseconds, one.start, one.stop));
    profile.add(one.name, milliseconds * 1e-3, one.bytes);
    unused.insert(unused.end(), {one.start, one.stop});
  }
  pending.clear();
}

}  // namespace

void start_profile() {
  // The first CUDA call starts the device; that time belongs to no row.
  cuda_check(cudaFree(nullptr));
  profiling = true;
}

std::string profile_so_far(double wall_s) {
  read_pending();
  return profile.text(wall_s);
}

Stopwatch::Stopwatch(const char* name, Clock clock, std::size_t bytes)
    : name_(name), clock_(clock), bytes_(bytes) {
  if (!profiling) return;
  if (clock_ == Clock::host) {
    started_s_ = seconds_now();
    return;
  }
  if (pending.size() >= 4096) read_pending();
  start_ = an_event();
  stop_ = an_event();
  cuda_check(cudaEventRecord(start_));
}

// Errors are not reported here: a destructor cannot throw, but the next checked call will.
Stopwatch::~Stopwatch() {
  if (!profiling) return;
  if (clock_ == Clock::host) {
    profile.add(name_, seconds_now() - started_s_, bytes_);
  } else if (start_ != nullptr && cudaEventRecord(stop_) == cudaSuccess) {
    pending.push_back({name_, bytes_, start_, stop_});
  }
}

}  // namespace nbody
