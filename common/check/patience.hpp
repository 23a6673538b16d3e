#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace nbody::check {

// While it exists, calls back every ten seconds with the time waited, s.
class Patience {
 public:
  explicit Patience(std::function<void(int)> tell, int every_s = 10);
  ~Patience();
  Patience(const Patience&) = delete;
  Patience& operator=(const Patience&) = delete;

 private:
  std::mutex guard_;
  std::condition_variable ended_;
  bool has_ended_ = false;
  std::thread teller_;
};

}  // namespace nbody::check
