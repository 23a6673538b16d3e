#pragma once

#include <csetjmp>
#include <cstddef>
#include <functional>

namespace nbody::on_cpu {

// A function with a stack of its own. It runs until it pauses, and goes on behind that place when
// it is asked to: one at a time, and no switch that the two did not write down. That is what makes
// a run repeatable.
class Fibre {
 public:
  Fibre();
  ~Fibre();
  Fibre(const Fibre&) = delete;
  Fibre& operator=(const Fibre&) = delete;

  // What go_on() begins with, which must live as long; whatever was not done of the work before is
  // forgotten.
  void start(const std::function<void()>& work);
  // Returns when the work pauses or has ended. It must not throw.
  void go_on();
  // For the work itself.
  void pause();
  // Back to go_on() for good, from a signal handler too.
  [[noreturn]] void give_up();
  bool ended() const { return ended_; }

 private:
  static void entry(unsigned high, unsigned low);
  [[noreturn]] void work_for_ever();
  [[noreturn]] void begin();
  void arrive();

  const std::function<void()>* work_ = nullptr;
  std::byte* memory_;  // a page that nobody may touch, then the stack
  bool begun_ = false, ended_ = true;
  std::jmp_buf inside_ = {}, outside_ = {};
  void *watched_ = nullptr, *watched_host_ = nullptr;           // for the thread sanitizer
  void *fake_stack_ = nullptr, *fake_stack_of_host_ = nullptr;  // for the address sanitizer
  const void* bottom_of_host_ = nullptr;
  std::size_t size_of_host_ = 0;
};

}  // namespace nbody::on_cpu
