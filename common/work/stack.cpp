#include <pthread.h>

#include <mutex>
#include <utility>

#include "work/counts.hpp"

// Where the program's variables begin; before them are code and constants. Both are the linker's.
extern "C" const char __executable_start, __data_start;

namespace nbody::work {
namespace {

std::mutex mutex;
Counts of_ended_threads;

void add_to(Counts& sum) {
  for (std::size_t kind = 0; kind < Counts::kinds; ++kind) sum.of[kind] += work_so_far.of[kind];
  work_so_far = {};
}

struct AtEndOfThread {
  ~AtEndOfThread() {
    const std::lock_guard lock(mutex);
    add_to(of_ended_threads);
  }
};

void begin_thread() {
  pthread_attr_t attributes;
  void* low = nullptr;
  std::size_t size = 0;
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstack(&attributes, &low, &size);
  pthread_attr_destroy(&attributes);
  stack = {reinterpret_cast<std::uintptr_t>(low), size};
  if (host_stack.size == 0) host_stack = stack;
  thread_local const AtEndOfThread at_end;
}

}  // namespace

void count_elsewhere(const void* number, Counts::Kind access) {
  if (stack.size == 0) {
    begin_thread();
    return count_access(number, access);
  }
  const bool constant = number >= &__executable_start && number < &__data_start;
  if (constant || host_stack.holds(number) || !is_counted()) return;
  const Memory memory = memory_of_kernel == nullptr ? Memory::main : memory_of_kernel(number);
  if (memory == Memory::main) ++work_so_far.of[access];
  if (memory == Memory::shared) {
    ++work_so_far.of[access == Counts::loads ? Counts::shared_loads : Counts::shared_stores];
  }
}

Counts take_counts() {
  const std::lock_guard lock(mutex);
  add_to(of_ended_threads);
  return std::exchange(of_ended_threads, {});
}

}  // namespace nbody::work
