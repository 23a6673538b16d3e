#pragma once

#include <cstddef>

// The sanitizers' interface for fibres. Weak symbols: null in a program without them, so one build
// of this room serves all. Only the implementation itself is compiled for a sanitizer
// (common/lab/src/nbody_lab/check/sanitize.py).
extern "C" {
[[gnu::weak]] void* __tsan_create_fiber(unsigned flags);
[[gnu::weak]] void __tsan_destroy_fiber(void* fiber);
[[gnu::weak]] void* __tsan_get_current_fiber();
[[gnu::weak]] void __tsan_switch_to_fiber(void* fiber, unsigned flags);
[[gnu::weak]] void __tsan_acquire(void* address);
[[gnu::weak]] void __tsan_release(void* address);
[[gnu::weak]] void __sanitizer_start_switch_fiber(void** fake_stack, const void* bottom,
                                                  std::size_t size);
[[gnu::weak]] void __sanitizer_finish_switch_fiber(void* fake_stack, const void** old_bottom,
                                                   std::size_t* old_size);
}

namespace nbody::on_cpu {

inline bool threads_are_watched() { return __tsan_create_fiber != nullptr; }
inline bool addresses_are_watched() { return __sanitizer_start_switch_fiber != nullptr; }

// A thread that takes after another gave has seen all that the other wrote before.
inline void give(void* place) {
  if (threads_are_watched()) __tsan_release(place);
}
inline void take(void* place) {
  if (threads_are_watched()) __tsan_acquire(place);
}

}  // namespace nbody::on_cpu
