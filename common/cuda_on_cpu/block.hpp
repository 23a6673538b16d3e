#pragma once

#include <array>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <random>
#include <source_location>
#include <span>
#include <string>
#include <vector>

#include "cuda_on_cpu/fibre.hpp"
#include "cuda_on_cpu/vector_types.hpp"

namespace nbody::on_cpu {

constexpr unsigned lanes = 32;           // of a warp
constexpr unsigned most_threads = 1024;  // of a block, on every GPU

// What a thread shows to the other lanes of its warp.
using LaneValue = std::array<std::byte, 16>;
using LaneValues = std::array<LaneValue, lanes>;

// A block of threads on one host thread: each is a fibre, which runs until it has to wait for
// others. After every barrier the order is drawn anew from a fixed random sequence: a missing
// barrier gives wrong results, and the same ones in every run.
class Block {
 public:
  // Throws DeviceError for a deadlock, and what a thread throws.
  void run(const char* kernel, const uint3& place, const dim3& shape,
           const std::function<void()>& work);

  // The rest is for the running thread.

  // __syncthreads(): returns the sum of all threads' values.
  int wait_for_all(int brought, const std::source_location& where);
  // The lanes in `mask` meet; returns what each of them shows. Lanes that have returned are not
  // waited for.
  const LaneValues& meet(unsigned mask, const LaneValue& shown, const std::source_location& where);
  unsigned lane() const { return running_ % lanes; }
  unsigned lanes_that_run() const;
  // Is this the first thread of the block to get here?
  bool is_fresh(const void* shared_variable, std::size_t bytes);
  bool is_shared(const void* address) const;
  std::span<const std::byte> stack_of_thread() const { return all_[running_]->fibre.stack(); }
  // Ends the block: it used an invalid address.
  [[noreturn]] void fault(const void* address);
  bool runs() const { return runs_; }

 private:
  enum class State { ready, at_barrier, meeting, ended };
  struct Thread {
    Fibre fibre;
    uint3 index;
    State state;
    std::source_location where;
    unsigned mask;
    int brought;
    LaneValue shown;
  };

  // Tells the thread sanitizer which threads have waited for which. Two, used in turn by successive
  // barriers: a thread may reach the next barrier while others have not yet left this one.
  struct Gates {
    long start = 0, end = 0;
    unsigned turn = 0;
    std::array<long, 2> barrier = {};
    std::array<unsigned, most_threads / lanes> turn_of_warp = {};
    std::array<std::array<long, 2>, most_threads / lanes> of_warp = {};
  };

  void start(const dim3& shape, const std::function<void()>& work);
  void run_those_ready();
  void draw_order();
  bool all_ended() const;
  bool release_block();
  bool release_warp(unsigned warp);
  bool can_go_on(unsigned warp, const Thread& thread) const;
  void pause(State state, const std::source_location& where);
  unsigned count(State state) const;
  [[noreturn]] void complain() const;
  std::string barrier_complaint(const Thread& waiting) const;
  std::string lane_complaint(unsigned waiting) const;
  std::string heading(const std::source_location& where, const char* function) const;

  std::vector<std::unique_ptr<Thread>> all_;  // kept for the next block
  unsigned size_ = 0, running_ = 0;
  bool runs_ = false;
  std::vector<unsigned> order_;
  std::minstd_rand random_;
  std::array<LaneValues, most_threads / lanes> shown_ = {};
  std::vector<std::span<const std::byte>> fresh_;
  int brought_by_all_ = 0;
  Gates gates_;
  std::exception_ptr thrown_;
  std::string fault_;
  const char* kernel_ = "";
  uint3 place_ = {};
};

// There is only one: the blocks of a grid take turns.
Block& this_block();

}  // namespace nbody::on_cpu
