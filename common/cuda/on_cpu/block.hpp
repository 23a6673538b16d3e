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

#include "cuda/on_cpu/fibre.hpp"
#include "cuda/on_cpu/vector_types.hpp"

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
  void run(const char* kernel, const dim3& shape, const std::function<void()>& work);

  // The rest is for the running thread.

  // __syncthreads()
  void wait_for_all(const std::source_location& where) { pause(0, where); }
  // The lanes in `mask` meet; returns what each of them shows. Lanes that have returned are not
  // waited for.
  const LaneValues& meet(unsigned mask, const LaneValue& shown, const std::source_location& where);
  unsigned lane() const { return running_ % lanes; }
  // An array in shared memory, known by the address of something that it alone has; unwritten when
  // a block begins.
  void* shared(const void* name, std::size_t bytes);
  bool is_shared(const void* address) const;
  std::span<const std::byte> stack_of_thread() const { return all_[running_]->fibre.stack(); }
  // Ends the block: it used an invalid address. From a signal handler, on another stack.
  [[noreturn]] void fault(const void* address);
  bool runs() const { return runs_; }

 private:
  enum class State { ready, waiting, ended };
  struct Thread {
    Fibre fibre;
    uint3 index;
    State state;
    std::source_location where;
    unsigned mask;  // of the lanes it waits for; 0: for the whole block
    LaneValue shown;
  };
  struct Shared {
    const void* name;
    std::size_t bytes;
    std::byte* data;  // kept for the next block
    bool fresh;       // no thread of this block has asked for it
  };

  void run_those_ready();
  void pause(unsigned mask, const std::source_location& where);
  std::vector<unsigned> waited_for_by(unsigned waiting) const;
  bool wait_together(unsigned one, unsigned other) const;
  bool release_those_complete();
  void order(const std::vector<unsigned>& met);
  [[noreturn]] void complain() const;

  std::vector<std::unique_ptr<Thread>> all_;  // kept for the next block
  unsigned size_ = 0, running_ = 0, ended_ = 0;
  bool runs_ = false;
  std::minstd_rand random_;
  std::array<LaneValues, most_threads / lanes> shown_ = {};
  std::vector<Shared> shared_;
  std::exception_ptr thrown_;
  const char* kernel_ = "";
};

// The one of the running thread.
Block& this_block();

}  // namespace nbody::on_cpu
