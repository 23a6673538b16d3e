#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <new>

#include "machine/kernel.hpp"

namespace nbody::machine {
namespace {

constexpr std::size_t huge_page = 2u << 20;  // bytes; alignment of arrays, enough for any vector
constexpr std::size_t largest_piece = 1u << 20;
constexpr std::size_t smallest_work = 1u << 18;  // bytes of one array, so that a call costs nothing

struct Free {
  void operator()(char* memory) const { std::free(memory); }
};

// This thread's own, which it touches first, so that it is near. It is kept for the next call.
char* memory_of_thread(std::size_t bytes) {
  thread_local std::unique_ptr<char, Free> memory;
  thread_local std::size_t size = 0;
  if (bytes != size) {
    const std::size_t whole_pages = (bytes + huge_page - 1) / huge_page * huge_page;
    memory.reset();
    memory.reset(static_cast<char*>(std::aligned_alloc(huge_page, whole_pages)));
    if (!memory) throw std::bad_alloc();
    size = bytes;
    // With pages of 4 KiB this would measure address translation.
    if (bytes >= huge_page) madvise(memory.get(), whole_pages, MADV_HUGEPAGE);
    float* const numbers = reinterpret_cast<float*>(memory.get());
    std::fill(numbers, numbers + bytes / sizeof(float), 1.0f);
  }
  return memory.get();
}

}  // namespace

double go_over_piece(const Traffic& traffic, std::size_t bytes) {
  thread_local std::size_t at = 0;
  const std::size_t arrays = static_cast<std::size_t>(traffic.arrays), wanted = bytes / arrays;
  const std::size_t unit = wanted > largest_piece ? largest_piece : traffic_block;
  const std::size_t each = std::max(wanted - wanted % unit, unit);
  const std::size_t piece = std::min(each, largest_piece);
  if (at + piece > each) at = 0;
  std::array<char*, 3> from{};
  for (std::size_t k = 0; k < arrays; ++k)
    from[k] = memory_of_thread(arrays * each) + k * each + at;
  const std::size_t times = std::max<std::size_t>(1, smallest_work / piece);
  traffic.run(from.data(), piece, static_cast<int>(times));
  at += piece;
  return static_cast<double>(piece * times * arrays);
}

}  // namespace nbody::machine
