#include "cuda/on_cpu/fibre.hpp"

#include <sys/mman.h>
#include <ucontext.h>

#include <cstdlib>
#include <new>

#include "cuda/on_cpu/sanitizers.hpp"

namespace nbody::on_cpu {
namespace {

// Kernels need little stack, sanitizers more. Untouched pages cost nothing.
constexpr std::size_t stack_size = 256 * 1024;
constexpr std::size_t guard_size = 64 * 1024;  // whole pages, of any usual size
// A switch must not look like synchronisation to the thread sanitizer.
constexpr unsigned no_synchronisation = 1;

}  // namespace

Fibre::Fibre() {
  void* memory = mmap(nullptr, guard_size + stack_size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  memory_ = static_cast<std::byte*>(memory);
  mprotect(memory_, guard_size, PROT_NONE);
  if (threads_are_watched()) watched_ = __tsan_create_fiber(0);
}

Fibre::~Fibre() {
  if (threads_are_watched()) __tsan_destroy_fiber(watched_);
  munmap(memory_, guard_size + stack_size);
}

void Fibre::start(const std::function<void()>& work) {
  work_ = &work;
  if (!ended_) begun_ = false;  // its stack is abandoned and reused
  ended_ = false;
}

std::span<const std::byte> Fibre::stack() const { return {memory_ + guard_size, stack_size}; }

// setcontext(), which makes two system calls, only the first time; then longjmp(), which is twenty
// times as fast. Jumping to another stack is outside the standard: CMakeLists.txt switches off the
// two checks that would stop it, glibc's and shadow stacks.
void Fibre::go_on() {
  if (threads_are_watched()) watched_host_ = __tsan_get_current_fiber();
  if (addresses_are_watched()) {
    __sanitizer_start_switch_fiber(&fake_stack_of_host_, memory_ + guard_size, stack_size);
  }
  if (_setjmp(outside_) == 0) {
    if (threads_are_watched()) __tsan_switch_to_fiber(watched_, no_synchronisation);
    if (!begun_) begin();
    _longjmp(inside_, 1);
  }
  if (addresses_are_watched()) {
    __sanitizer_finish_switch_fiber(fake_stack_of_host_, nullptr, nullptr);
  }
}

void Fibre::pause() {
  if (_setjmp(inside_) == 0) give_up();
  arrive();
}

void Fibre::give_up() {
  if (addresses_are_watched()) {
    __sanitizer_start_switch_fiber(&fake_stack_, bottom_of_host_, size_of_host_);
  }
  if (threads_are_watched()) __tsan_switch_to_fiber(watched_host_, no_synchronisation);
  _longjmp(outside_, 1);
}

void Fibre::in_its_name(const std::function<void()>& work) {
  void* const host = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(watched_, no_synchronisation);
  work();
  __tsan_switch_to_fiber(host, no_synchronisation);
}

void Fibre::arrive() {
  if (addresses_are_watched()) {
    __sanitizer_finish_switch_fiber(fake_stack_, &bottom_of_host_, &size_of_host_);
  }
}

void Fibre::begin() {
  static Fibre* beginning = nullptr;
  beginning = this;
  begun_ = true;
  fake_stack_ = nullptr;
  ucontext_t context{};
  getcontext(&context);
  context.uc_stack.ss_sp = memory_ + guard_size;
  context.uc_stack.ss_size = stack_size;
  makecontext(
      &context, [] { beginning->work_for_ever(); }, 0);
  setcontext(&context);
  std::abort();  // not reached
}

void Fibre::work_for_ever() {
  arrive();
  for (;;) {
    (*work_)();
    ended_ = true;
    pause();
  }
}

}  // namespace nbody::on_cpu
