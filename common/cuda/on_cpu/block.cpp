#include "cuda/on_cpu/block.hpp"

#include <algorithm>
#include <cerrno>
#include <numeric>
#include <utility>

#include "cuda/cuda_check.cuh"
#include "cuda/on_cpu/fenced_memory.hpp"
#include "cuda/on_cpu/sanitizers.hpp"

namespace nbody::on_cpu {

namespace {

// One would do. For the thread sanitizer there are two, each with threads and shared memory of its
// own, so that nothing orders what the blocks of one do and what those of the other do: to it, they
// run at once. Never destroyed, so that what they keep is no leak.
std::array<Block, 2>& blocks = *new std::array<Block, 2>;
std::size_t current = 0;
long launch_begins = 0, launch_ends = 0;

std::string text_of(const uint3& index) {
  return "(" + std::to_string(index.x) + ", " + std::to_string(index.y) + ", " +
         std::to_string(index.z) + ")";
}

}  // namespace

Block& this_block() { return blocks[current]; }
Block& choose_block(bool second) {
  current = threads_are_watched() && second ? 1 : 0;
  return blocks[current];
}
void begin_launch() { give(&launch_begins); }
void end_launch() { take(&launch_ends); }

void Block::run(const char* kernel, const uint3& place, const dim3& shape,
                const std::function<void()>& work) {
  kernel_ = kernel;
  place_ = place;
  const std::function<void()> thread = [&] {
    take(&launch_begins);
    try {
      work();
    } catch (...) {
      if (!thrown_) thrown_ = std::current_exception();
    }
    all_[running_]->state = State::ended;
    give(&launch_ends);
  };
  start(shape, thread);
  while (count(State::ended) < size_) {
    run_those_ready();
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
    if (!fault_.empty()) throw DeviceError(std::exchange(fault_, ""));
    if (!release_those_complete() && count(State::ended) < size_) complain();
  }
  std::vector<unsigned> everyone(size_);
  std::iota(everyone.begin(), everyone.end(), 0u);
  order(everyone);  // before the next block that gets this one's threads and shared memory
}

void Block::start(const dim3& shape, const std::function<void()>& work) {
  size_ = shape.x * shape.y * shape.z;
  for (Shared& one : shared_) one.fresh = true;
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

unsigned Block::count(State state) const {
  return static_cast<unsigned>(
      std::count_if(all_.begin(), all_.begin() + size_,
                    [&](const auto& thread) { return thread->state == state; }));
}

void Block::pause(unsigned mask, const std::source_location& where) {
  Thread& thread = *all_[running_];
  thread.state = State::waiting;
  thread.mask = mask;
  thread.where = where;
  thread.fibre.pause();
}

void Block::wait_for_all(const std::source_location& where) { pause(0, where); }

const LaneValues& Block::meet(unsigned mask, const LaneValue& shown,
                              const std::source_location& where) {
  if ((mask >> lane() & 1) == 0) {
    throw DeviceError(heading(where, "a function of the warp") + "lane " + std::to_string(lane()) +
                      " calls it with a mask that it is not in");
  }
  all_[running_]->shown = shown;
  const LaneValues& of_warp = shown_[running_ / lanes];
  pause(mask, where);
  return of_warp;
}

// All threads of the block, or the lanes in the mask that have not returned.
std::vector<unsigned> Block::waited_for_by(unsigned waiting) const {
  const unsigned mask = all_[waiting]->mask, first = waiting / lanes * lanes;
  std::vector<unsigned> found;
  for (unsigned k = mask == 0 ? 0 : first; k < (mask == 0 ? size_ : std::min(first + lanes, size_));
       ++k) {
    const bool counts = mask >> (k - first) % lanes & 1 && all_[k]->state != State::ended;
    if (mask == 0 || counts) found.push_back(k);
  }
  return found;
}

// At one barrier, or in a function of the warp with one mask.
bool Block::wait_together(unsigned one, unsigned other) const {
  const Thread &a = *all_[one], &b = *all_[other];
  if (a.state != State::waiting || b.state != State::waiting || a.mask != b.mask) return false;
  return a.mask != 0 || (a.where.line() == b.where.line() && a.where.column() == b.where.column());
}

bool Block::release_those_complete() {
  bool released = false;
  for (unsigned k = 0; k < size_; ++k) {
    if (all_[k]->state != State::waiting || (all_[k]->mask == 0 && k > 0)) continue;
    const std::vector<unsigned> met = waited_for_by(k);
    if (!std::all_of(met.begin(), met.end(), [&](unsigned m) { return wait_together(k, m); })) {
      continue;
    }
    for (unsigned lane = 0; lane < lanes; ++lane) {  // of a lane that has returned: unwritten
      if (all_[k]->mask >> lane & 1) shown_[k / lanes][lane].fill(std::byte{0xff});
    }
    for (const unsigned m : met) {
      if (all_[k]->mask != 0) shown_[m / lanes][m % lanes] = all_[m]->shown;
      all_[m]->state = State::ready;
    }
    order(met);
    released = true;
  }
  return released;
}

// For the thread sanitizer: what each of them does from now on comes after all that they have done.
void Block::order(const std::vector<unsigned>& met) {
  if (!threads_are_watched()) return;
  const auto gate = std::make_unique<long>();  // new: nobody else has passed it
  for (const unsigned k : met) all_[k]->fibre.in_its_name([&] { give(gate.get()); });
  for (const unsigned k : met) all_[k]->fibre.in_its_name([&] { take(gate.get()); });
}

void* Block::shared(const void* name, std::size_t bytes) {
  auto one = std::find_if(shared_.begin(), shared_.end(), [&](const Shared& known) {
    return known.name == name && known.bytes == bytes;
  });
  if (one == shared_.end()) {
    one = shared_.insert(
        one, {name, bytes, static_cast<std::byte*>(new_fenced(bytes, Owner::shared)), true});
    give(one->data);  // to the sanitizer, this thread has written it
  }
  take(one->data);
  if (std::exchange(one->fresh, false)) fill_unwritten(one->data, bytes);
  return one->data;
}

bool Block::is_shared(const void* address) const {
  return std::any_of(shared_.begin(), shared_.end(), [&](const Shared& one) {
    return address >= one.data && address < one.data + one.bytes;
  });
}

// From a signal handler, on another stack.
void Block::fault(const void* address) {
  fault_ = std::string("a wrong index in ") + kernel_ + ": thread " + text_of(threadIdx) +
           " of block " + text_of(place_) + " reads or writes " + name_of_place(address) +
           "; ./lab check part3 " + program_invocation_short_name +
           " --on-cpu --sanitize names the line";
  all_[running_]->fibre.give_up();
}

std::string Block::heading(const std::source_location& where, const char* function) const {
  return short_place(where) + ": " + function + " in " + kernel_ + ", block " + text_of(place_) +
         ": ";
}

// No thread can go on: the first that waits, and whom it waits for.
void Block::complain() const {
  unsigned first = 0;
  while (all_[first]->state != State::waiting) ++first;
  const Thread& waiting = *all_[first];
  const std::vector<unsigned> all = waited_for_by(first);
  const auto here =
      std::count_if(all.begin(), all.end(), [&](unsigned k) { return wait_together(first, k); });
  const auto elsewhere = std::find_if(all.begin(), all.end(), [&](unsigned k) {
    return all_[k]->state == State::waiting && !wait_together(first, k);
  });
  std::string others = std::to_string(count(State::ended)) + " have returned";
  if (elsewhere != all.end()) others = "others wait at " + short_place(all_[*elsewhere]->where);
  const bool at_barrier = waiting.mask == 0;
  throw DeviceError(
      heading(waiting.where, at_barrier ? "__syncthreads()" : "a function of the warp") +
      std::to_string(here) + " of " + std::to_string(all.size()) + " threads wait here, and " +
      others +
      (at_barrier ? ": every thread of a block must reach each barrier: no return, and no if that "
                    "only some take, before it"
                  : ": all lanes in the mask must come here, with the same mask"));
}

}  // namespace nbody::on_cpu
