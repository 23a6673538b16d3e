#include "cuda/on_cpu/block.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <numeric>
#include <utility>

#include "cuda/cuda_check.cuh"
#include "cuda/on_cpu/launch.hpp"
#include "cuda/on_cpu/sanitizers.hpp"

namespace nbody::on_cpu {

namespace {

// The blocks of a grid run one after another, and one Block would do. For the thread sanitizer
// there are two, each with threads and shared memory of its own, so that nothing orders what the
// blocks of one do and what those of the other do: to it, they run at once. All of their threads
// come after the launch begins and before it ends. Never destroyed, so that what they keep is no
// leak.
std::array<Block, 2>& blocks = *new std::array<Block, 2>;
std::size_t current = 0;
long launch_begins = 0, launch_ends = 0;
std::size_t shared_bytes = 0;

std::string text_of(const uint3& index) {
  return "(" + std::to_string(index.x) + ", " + std::to_string(index.y) + ", " +
         std::to_string(index.z) + ")";
}

uint3 index_of(std::uint64_t k, const dim3& size) {
  return {static_cast<unsigned>(k % size.x), static_cast<unsigned>(k / size.x % size.y),
          static_cast<unsigned>(k / size.x / size.y)};
}

std::uint64_t product(const dim3& size) { return std::uint64_t{size.x} * size.y * size.z; }

std::string wrong_index(const char* kernel, const std::string& does, const void* address) {
  return std::string("a wrong index in ") + kernel + ": " + does + name_of_place(address) +
         "; ./lab check part3 " + program_invocation_short_name +
         " --on-cpu --sanitize names the line";
}

std::string place_of(const std::source_location& where, bool at_barrier, const char* kernel) {
  return short_place(where) + ": " + (at_barrier ? "__syncthreads()" : "a function of the warp") +
         " in " + kernel + ", block " + text_of(blockIdx) + ": ";
}

}  // namespace

Block& this_block() { return blocks[current]; }

void Block::run(const char* kernel, const dim3& shape, const std::function<void()>& work) {
  kernel_ = kernel;
  size_ = static_cast<unsigned>(product(shape));
  ended_ = 0;
  for (Shared& one : shared_) one.fresh = true;
  const std::function<void()> thread = [&] {
    take(&launch_begins);
    try {
      work();
    } catch (...) {
      if (!thrown_) thrown_ = std::current_exception();
    }
    all_[running_]->state = State::ended;
    ++ended_;
    give(&launch_ends);
  };
  while (all_.size() < size_) all_.push_back(std::make_unique<Thread>());
  for (unsigned k = 0; k < size_; ++k) {
    all_[k]->index = index_of(k, shape);
    all_[k]->state = State::ready;
    all_[k]->fibre.start(thread);
  }
  while (ended_ < size_) {
    run_those_ready();
    if (!release_those_complete() && ended_ < size_) complain();
  }
  std::vector<unsigned> everyone(size_);
  std::iota(everyone.begin(), everyone.end(), 0u);
  order(everyone);  // before the next block that gets this one's threads and shared memory
}

// Forwards, backwards or shuffled.
void Block::run_those_ready() {
  std::vector<unsigned> order(size_);
  std::iota(order.begin(), order.end(), 0u);
  const unsigned kind = random_() % 3;
  if (kind == 1) std::reverse(order.begin(), order.end());
  if (kind == 2) std::shuffle(order.begin(), order.end(), random_);
  for (const unsigned k : order) {
    if (all_[k]->state != State::ready) continue;
    running_ = k;
    threadIdx = all_[k]->index;
    runs_ = true;
    all_[k]->fibre.go_on();
    runs_ = false;
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  }
}

void Block::pause(unsigned mask, const std::source_location& where) {
  Thread& thread = *all_[running_];
  thread.state = State::waiting;
  thread.mask = mask;
  thread.where = where;
  thread.fibre.pause();
}

const LaneValues& Block::meet(unsigned mask, const LaneValue& shown,
                              const std::source_location& where) {
  if ((mask >> lane() & 1) == 0) {
    throw DeviceError(place_of(where, false, kernel_) + "lane " + std::to_string(lane()) +
                      " calls it with a mask that it is not in");
  }
  all_[running_]->shown = shown;
  const LaneValues& of_warp = shown_[running_ / lanes];
  pause(mask, where);
  return of_warp;
}

// All threads of the block, or the lanes in the mask that have not returned.
std::vector<unsigned> Block::waited_for_by(unsigned waiting) const {
  const unsigned mask = all_[waiting]->mask, first = mask == 0 ? 0 : waiting / lanes * lanes;
  std::vector<unsigned> found;
  for (unsigned k = first; k < (mask == 0 ? size_ : std::min(first + lanes, size_)); ++k) {
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
  std::string others = std::to_string(ended_) + " have returned";
  if (elsewhere != all.end()) others = "others wait at " + short_place(all_[*elsewhere]->where);
  const bool at_barrier = waiting.mask == 0;
  throw DeviceError(place_of(waiting.where, at_barrier, kernel_) + std::to_string(here) + " of " +
                    std::to_string(all.size()) + " threads wait here, and " + others +
                    (at_barrier ? ": every thread of a block must reach each barrier: no return, "
                                  "and no if that only some take, before it"
                                : ": all lanes in the mask must come here, with the same mask"));
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

void* shared_of_launch() { return this_block().shared(&shared_bytes, shared_bytes); }

void Block::fault(const void* address) {
  const std::string does =
      "thread " + text_of(threadIdx) + " of block " + text_of(blockIdx) + " reads or writes ";
  thrown_ = std::make_exception_ptr(DeviceError(wrong_index(kernel_, does, address)));
  all_[running_]->fibre.give_up();
}

namespace {

// For a signal that no kernel caused: the default action.
void on_fault(int signal, siginfo_t* info, void*) {
  if (this_block().runs()) this_block().fault(info->si_addr);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

// On its own stack, since the kernel's may have overflowed.
void catch_faults() {
  static std::byte stack[64 * 1024];
  static bool caught = false;
  if (caught || addresses_are_watched() || threads_are_watched()) return;
  caught = true;
  const stack_t own{stack, 0, sizeof stack};
  sigaltstack(&own, nullptr);
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (const int signal : {SIGSEGV, SIGBUS}) sigaction(signal, &action, nullptr);
}

bool can_be(const Shape& shape) {
  constexpr std::size_t most_shared = 48 * 1024;  // of a launch that asked for no more
  const std::uint64_t threads = product(shape.block);
  return threads >= 1 && threads <= most_threads && shape.block.z <= 64 &&
         product(shape.grid) >= 1 && shape.grid.y <= 65535 && shape.grid.z <= 65535 &&
         shape.shared <= most_shared;
}

}  // namespace

void demand_device_pointer(const char* kernel, const void* pointer) {
  if (pointer == nullptr || is_fenced(pointer)) return;
  throw DeviceError(
      std::string(kernel) +
      " gets a pointer to host memory, which the GPU cannot read: pass data() of a DeviceArray");
}

void launch_blocks(const char* kernel, const Shape& shape, unsigned launches,
                   const std::function<void()>& thread) {
  if (!can_be(shape)) {
    kept(cudaErrorInvalidConfiguration);
    return;
  }
  catch_faults();
  gridDim = shape.grid;
  blockDim = shape.block;
  shared_bytes = shape.shared;
  const std::uint64_t all = product(shape.grid);
  // Any two blocks differ in a bit of their numbers: in one of so many launches they run at once.
  const auto bit = launches % std::max<std::uint64_t>(1, std::bit_width(all - 1));
  give(&launch_begins);
  for (std::uint64_t k = 0; k < all; ++k) {
    const std::uint64_t number = launches % 2 == 0 ? k : all - 1 - k;  // in no fixed order
    blockIdx = index_of(number, shape.grid);
    current = threads_are_watched() ? number >> bit & 1 : 0;
    this_block().run(kernel, shape.block, thread);
  }
  take(&launch_ends);
  const void* const place = written_beyond();
  if (place != nullptr) throw DeviceError(wrong_index(kernel, "a thread writes ", place));
}

}  // namespace nbody::on_cpu
