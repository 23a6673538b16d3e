#include <pthread.h>

#include <mutex>

#include "work/counts.hpp"

// Where the program's variables begin; before them are code and constants. Both are the linker's.
extern "C" const char __executable_start, __data_start;

namespace nbody::work {
namespace {

std::mutex mutex;
Counts of_ended_threads;

void add_to(Counts& sum, const Counts& more) {
  for (const Class& one : classes) sum.*one.tally += more.*one.tally;
}

struct AtEndOfThread {
  ~AtEndOfThread() {
    const std::lock_guard lock(mutex);
    add_to(of_ended_threads, work_so_far);
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
  // From the program's variables up to the first stack: the heap, and stacks of other threads.
  const auto variables = reinterpret_cast<std::uintptr_t>(&__data_start);
  if (memory_of_kernel == nullptr) memory = {variables, host_stack.low - variables};
  thread_local const AtEndOfThread at_end;
}

bool is_constant(const void* number) {
  return number >= &__executable_start && number < &__data_start;
}

}  // namespace

void count_elsewhere(const void* number, Access access) {
  if (stack.size == 0) {
    begin_thread();
    return count_access(number, access);
  }
  if (host_stack.holds(number) || is_constant(number) || !is_counted()) return;
  const Memory memory = memory_of_kernel == nullptr ? Memory::main : memory_of_kernel(number);
  const bool loads = access == Access::load;
  if (memory == Memory::main) ++(loads ? work_so_far.loads : work_so_far.stores);
  if (memory == Memory::shared) ++(loads ? work_so_far.shared_loads : work_so_far.shared_stores);
}

Counts take_counts() {
  const std::lock_guard lock(mutex);
  Counts all = work_so_far;
  add_to(all, of_ended_threads);
  work_so_far = of_ended_threads = {};
  return all;
}

}  // namespace nbody::work
