#pragma once

#include <csetjmp>
#include <cstddef>
#include <functional>
#include <span>

namespace nbody::on_cpu {

// A function with its own stack. It runs until it pauses, and continues from there on request: one
// at a time, and only at explicit switches, which makes a run repeatable.
class Fibre {
 public:
  Fibre();
  ~Fibre();
  Fibre(const Fibre&) = delete;
  Fibre& operator=(const Fibre&) = delete;

  // The work that go_on() starts; it must stay alive. Unfinished earlier work is dropped.
  void start(const std::function<void()>& work);
  // Returns when the work pauses or has ended. The work must not throw.
  void go_on();
  // For the work itself.
  void pause();
  // For the thread sanitizer: `work`, done at once, counts as the fibre's own.
  void in_its_name(const std::function<void()>& work);
  // Back to go_on() for good, from a signal handler too.
  [[noreturn]] void give_up();
  std::span<const std::byte> stack() const;

 private:
  [[noreturn]] void work_for_ever();
  [[noreturn]] void begin();
  void arrive();

  const std::function<void()>* work_ = nullptr;
  std::byte* memory_;  // a protected page, then the stack
  bool begun_ = false, ended_ = true;
  std::jmp_buf inside_ = {}, outside_ = {};
  void *watched_ = nullptr, *watched_host_ = nullptr;           // for the thread sanitizer
  void *fake_stack_ = nullptr, *fake_stack_of_host_ = nullptr;  // for the address sanitizer
  const void* bottom_of_host_ = nullptr;
  std::size_t size_of_host_ = 0;
};

}  // namespace nbody::on_cpu
