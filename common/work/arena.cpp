#include "work/arena.hpp"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <new>

#include "work/counts.hpp"

namespace nbody::work {
namespace {

// Only addresses: pages become memory when they are first written to. If even addresses are limited
// (ulimit -v), a smaller arena has to do.
constexpr std::size_t largest_arena = std::size_t{1} << 32, smallest_arena = std::size_t{1} << 26;

// Header of each block. Blocks are freed in the opposite order, like temporaries; one that is freed
// out of order stays allocated until the program ends.
struct Header {
  std::uintptr_t top_before, top_after;
};

std::uintptr_t top = 0;
pthread_t owner;

// Without a lock, two threads would get the same block. No allocations here.
void demand_owner() {
  if (pthread_equal(owner, pthread_self()) != 0) return;
  constexpr char said[] = "memory of the counting arena was used by a second thread\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, said, sizeof said - 1);
  std::abort();
}

void* take(std::size_t size, std::size_t alignment) {
  open_arena();
  demand_owner();
  const std::uintptr_t end = heap.first + heap.size;
  const std::uintptr_t block = (top + sizeof(Header) + alignment - 1) / alignment * alignment;
  if (block > end || size > end - block) throw std::bad_alloc();
  constexpr std::uintptr_t step = alignof(Header);
  const std::uintptr_t after = (block + size + step - 1) / step * step;
  *reinterpret_cast<Header*>(block - sizeof(Header)) = {top, after};
  top = after;
  return reinterpret_cast<void*>(block);
}

void* take_or_null(std::size_t size, std::size_t alignment) noexcept {
  try {
    return take(size, alignment);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

void give_back(void* block) noexcept {
  if (block == nullptr) return;
  demand_owner();
  const Header header = static_cast<Header*>(block)[-1];
  if (header.top_after == top) top = header.top_before;
}

constexpr std::size_t usual = __STDCPP_DEFAULT_NEW_ALIGNMENT__;
std::size_t wide(std::align_val_t alignment) {
  const auto value = static_cast<std::size_t>(alignment);
  return value > usual ? value : usual;
}

}  // namespace

// Also called by the first operator new, which comes before main().
void open_arena() {
  if (heap.size > 0) return;
  for (std::size_t size = largest_arena; size >= smallest_arena; size /= 2) {
    void* start = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED) continue;
    top = reinterpret_cast<std::uintptr_t>(start);
    heap = {top, size};
    owner = pthread_self();
    return;
  }
  throw std::bad_alloc();
}

}  // namespace nbody::work

// Every form: a sanitizer would replace a missing one, and their blocks would mix.
using namespace nbody::work;
using std::align_val_t, std::nothrow_t, std::size_t;
void* operator new(size_t size) { return take(size, usual); }
void* operator new[](size_t size) { return take(size, usual); }
void* operator new(size_t size, align_val_t a) { return take(size, wide(a)); }
void* operator new[](size_t size, align_val_t a) { return take(size, wide(a)); }
void* operator new(size_t size, const nothrow_t&) noexcept { return take_or_null(size, usual); }
void* operator new[](size_t size, const nothrow_t&) noexcept { return take_or_null(size, usual); }
void* operator new(size_t size, align_val_t a, const nothrow_t&) noexcept {
  return take_or_null(size, wide(a));
}
void* operator new[](size_t size, align_val_t a, const nothrow_t&) noexcept {
  return take_or_null(size, wide(a));
}
void operator delete(void* block) noexcept { give_back(block); }
void operator delete[](void* block) noexcept { give_back(block); }
void operator delete(void* block, size_t) noexcept { give_back(block); }
void operator delete[](void* block, size_t) noexcept { give_back(block); }
void operator delete(void* block, align_val_t) noexcept { give_back(block); }
void operator delete[](void* block, align_val_t) noexcept { give_back(block); }
void operator delete(void* block, size_t, align_val_t) noexcept { give_back(block); }
void operator delete[](void* block, size_t, align_val_t) noexcept { give_back(block); }
void operator delete(void* block, const nothrow_t&) noexcept { give_back(block); }
void operator delete[](void* block, const nothrow_t&) noexcept { give_back(block); }
