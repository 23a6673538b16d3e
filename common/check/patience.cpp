#include "check/patience.hpp"

#include <chrono>
#include <utility>

namespace nbody::check {

Patience::Patience(std::function<void(int)> tell, int every_s) {
  teller_ = std::thread([this, tell = std::move(tell), every_s] {
    std::unique_lock<std::mutex> lock(guard_);
    for (int seconds = every_s;; seconds += every_s) {
      if (ended_.wait_for(lock, std::chrono::seconds(every_s), [this] { return has_ended_; }))
        return;
      tell(seconds);
    }
  });
}

Patience::~Patience() {
  {
    const std::lock_guard<std::mutex> lock(guard_);
    has_ended_ = true;
  }
  ended_.notify_all();
  teller_.join();
}

}  // namespace nbody::check
