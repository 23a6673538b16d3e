#include "cuda/cuda_check.cuh"
#include "cuda/on_cpu/block.hpp"

// One-line messages: why a block cannot go on.
namespace nbody::on_cpu {

std::string Block::heading(const std::source_location& where, const char* function) const {
  return short_place(where) + ": " + function + " in " + kernel_ + ", block (" +
         std::to_string(place_.x) + ", " + std::to_string(place_.y) + ", " +
         std::to_string(place_.z) + "): ";
}

void Block::complain() const {
  for (unsigned k = 0; k < size_; ++k) {
    if (all_[k]->state == State::at_barrier) throw DeviceError(barrier_complaint(*all_[k]));
  }
  for (unsigned k = 0; k < size_; ++k) {
    if (all_[k]->state == State::meeting) throw DeviceError(lane_complaint(k));
  }
  throw DeviceError(std::string(kernel_) + ": no thread can go on");
}

std::string Block::barrier_complaint(const Thread& waiting) const {
  unsigned here = 0;
  const Thread* elsewhere = nullptr;
  for (unsigned k = 0; k < size_; ++k) {
    const Thread& other = *all_[k];
    const bool waits = other.state == State::at_barrier || other.state == State::meeting;
    if (other.state == State::at_barrier && other.where.line() == waiting.where.line() &&
        other.where.column() == waiting.where.column()) {
      ++here;
    } else if (waits && elsewhere == nullptr) {
      elsewhere = &other;
    }
  }
  std::string others = std::to_string(count(State::ended)) + " have returned";
  if (elsewhere != nullptr) others = "others wait at " + short_place(elsewhere->where);
  return heading(waiting.where, "__syncthreads()") + std::to_string(here) + " of " +
         std::to_string(size_) + " threads wait here, and " + others +
         ": every thread of a block must reach each barrier: no return, and no if that only some "
         "take, before it";
}

std::string Block::lane_complaint(unsigned waiting) const {
  const unsigned first = waiting / lanes * lanes;
  const Thread& thread = *all_[waiting];
  std::string missing;
  for (unsigned k = first; k < std::min(first + lanes, size_); ++k) {
    const Thread& other = *all_[k];
    const bool waited_for = thread.mask >> (k - first) & 1 && other.state != State::ended;
    if (waited_for && (other.state != State::meeting || other.mask != thread.mask)) {
      missing = "lane " + std::to_string(k - first) + ", which waits at " +
                short_place(other.where) + (other.mask != thread.mask ? " with another mask" : "");
      break;
    }
  }
  return heading(thread.where, "a function of the warp") + "lane " +
         std::to_string(waiting - first) + " waits for " + missing +
         ": all lanes in the mask must come here";
}

}  // namespace nbody::on_cpu
