#include "cuda_on_cpu/block.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <utility>

#include "cuda/cuda_check.cuh"
#include "cuda_on_cpu/fenced_memory.hpp"
#include "cuda_on_cpu/sanitizers.hpp"

namespace nbody::on_cpu {

Block& this_block() {
  static Block block;
  return block;
}

void Block::run(const char* kernel, const uint3& place, const dim3& shape,
                const std::function<void()>& work) {
  kernel_ = kernel;
  place_ = place;
  const std::function<void()> thread = [&] {
    take(&gates_.start);
    try {
      work();
    } catch (...) {
      if (!thrown_) thrown_ = std::current_exception();
    }
    all_[running_]->state = State::ended;
    give(&gates_.end);
  };
  start(shape, thread);
  give(&gates_.start);
  while (!all_ended()) {
    run_those_ready();
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
    if (!fault_.empty()) throw DeviceError(std::exchange(fault_, ""));
    bool released = false;
    for (unsigned warp = 0; warp * lanes < size_; ++warp) {
      if (release_warp(warp)) released = true;
    }
    if (!release_block() && !released && !all_ended()) complain();
  }
  take(&gates_.end);
}

void Block::start(const dim3& shape, const std::function<void()>& work) {
  size_ = shape.x * shape.y * shape.z;
  fresh_.clear();
  while (all_.size() < size_) all_.push_back(std::make_unique<Thread>());
  for (unsigned k = 0; k < size_; ++k) {
    Thread& thread = *all_[k];
    thread.index = {k % shape.x, k / shape.x % shape.y, k / (shape.x * shape.y)};
    thread.state = State::ready;
    thread.fibre.start(work);
  }
}

// Forwards, backwards or shuffled.
void Block::draw_order() {
  order_.resize(size_);
  const unsigned kind = random_() % 3;
  for (unsigned k = 0; k < size_; ++k) order_[k] = kind == 1 ? size_ - 1 - k : k;
  if (kind == 2) std::shuffle(order_.begin(), order_.end(), random_);
}

void Block::run_those_ready() {
  draw_order();
  for (const unsigned k : order_) {
    Thread& thread = *all_[k];
    if (thread.state != State::ready) continue;
    running_ = k;
    threadIdx = thread.index;
    runs_ = true;
    thread.fibre.go_on();
    runs_ = false;
    if (thrown_ || !fault_.empty()) return;
  }
}

void Block::pause(State state, const std::source_location& where) {
  Thread& thread = *all_[running_];
  thread.state = state;
  thread.where = where;
  thread.fibre.pause();
}

int Block::wait_for_all(int brought, const std::source_location& where) {
  all_[running_]->brought = brought;
  long& gate = gates_.barrier[gates_.turn % 2];
  give(&gate);
  pause(State::at_barrier, where);
  take(&gate);
  return brought_by_all_;
}

const LaneValues& Block::meet(unsigned mask, const LaneValue& shown,
                              const std::source_location& where) {
  LaneValues& of_warp = shown_[running_ / lanes];
  Thread& thread = *all_[running_];
  if ((mask >> lane() & 1) == 0) {
    throw DeviceError(heading(where, "a function of the warp") + "lane " + std::to_string(lane()) +
                      " calls it with a mask that it is not in");
  }
  thread.mask = mask;
  thread.shown = shown;
  const unsigned warp = running_ / lanes;
  long& gate = gates_.of_warp[warp][gates_.turn_of_warp[warp] % 2];
  long& other = gates_.of_warp[warp][(gates_.turn_of_warp[warp] + 1) % 2];
  // Groups of lanes do not take turns together: better a report too many than one too few.
  const bool is_group = std::popcount(mask) < 32;
  give(&gate);
  if (is_group) give(&other);
  pause(State::meeting, where);
  take(&gate);
  if (is_group) take(&other);
  return of_warp;
}

unsigned Block::lanes_that_run() const {
  const unsigned first = running_ / lanes * lanes;
  unsigned mask = 0;
  for (unsigned k = first; k < std::min(first + lanes, size_); ++k) {
    if (all_[k]->state != State::ended) mask |= 1u << (k - first);
  }
  return mask;
}

bool Block::is_fresh(const void* shared_variable, std::size_t bytes) {
  if (is_shared(shared_variable)) return false;
  fresh_.emplace_back(static_cast<const std::byte*>(shared_variable), bytes);
  return true;
}

bool Block::is_shared(const void* address) const {
  return std::any_of(fresh_.begin(), fresh_.end(), [address](const auto& variable) {
    return address >= variable.data() && address < variable.data() + variable.size();
  });
}

// From a signal handler, on another stack.
void Block::fault(const void* address) {
  const auto text = [](const uint3& index) {
    return "(" + std::to_string(index.x) + ", " + std::to_string(index.y) + ", " +
           std::to_string(index.z) + ")";
  };
  fault_ = std::string("a wrong index in ") + kernel_ + ": thread " + text(threadIdx) +
           " of block " + text(place_) + " reads or writes " + name_of_place(address) +
           "; ./lab check part3 " + program_invocation_short_name +
           " --on-cpu --sanitize names the line";
  all_[running_]->fibre.give_up();
}

bool Block::all_ended() const { return count(State::ended) == size_; }

unsigned Block::count(State state) const {
  return static_cast<unsigned>(
      std::count_if(all_.begin(), all_.begin() + size_,
                    [&](const auto& thread) { return thread->state == state; }));
}

// All or none, and all at the same barrier.
bool Block::release_block() {
  if (count(State::at_barrier) != size_) return false;
  const auto& first = all_[0]->where;
  brought_by_all_ = 0;
  for (unsigned k = 0; k < size_; ++k) {
    const auto& where = all_[k]->where;
    if (where.line() != first.line() || where.column() != first.column()) return false;
    brought_by_all_ += all_[k]->brought;
  }
  for (unsigned k = 0; k < size_; ++k) all_[k]->state = State::ready;
  ++gates_.turn;
  return true;
}

// Have all arrived that the thread waits for?
bool Block::can_go_on(unsigned warp, const Thread& thread) const {
  const unsigned first = warp * lanes;
  for (unsigned k = first; k < std::min(first + lanes, size_); ++k) {
    const Thread& other = *all_[k];
    if ((thread.mask >> (k - first) & 1) == 0 || other.state == State::ended) continue;
    if (other.state != State::meeting || other.mask != thread.mask) return false;
  }
  return true;
}

bool Block::release_warp(unsigned warp) {
  const unsigned first = warp * lanes, last = std::min(first + lanes, size_);
  bool released = false;
  for (unsigned k = first; k < last; ++k) {
    if (all_[k]->state != State::meeting || !can_go_on(warp, *all_[k])) continue;
    const unsigned mask = all_[k]->mask;
    for (unsigned other = first; other < first + lanes; ++other) {
      if ((mask >> (other - first) & 1) == 0) continue;
      LaneValue& shown = shown_[warp][other - first];
      if (other < last && all_[other]->state == State::meeting) {
        shown = all_[other]->shown;
        all_[other]->state = State::ready;
      } else {
        shown.fill(std::byte{0xff});  // no lane is left to show a value
      }
    }
    released = true;
  }
  if (released) ++gates_.turn_of_warp[warp];
  return released;
}

}  // namespace nbody::on_cpu
