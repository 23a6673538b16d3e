#include "machine/streams.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <new>

namespace nbody::machine {
namespace {

constexpr std::size_t huge_page = 2u << 20;  // bytes; alignment of arrays, enough for any vector
constexpr std::size_t largest_piece = 1u << 20;
constexpr std::size_t smallest_work = 1u << 18;  // bytes of one array, so that a call costs nothing

std::size_t rounded_down(std::size_t bytes) {
  const std::size_t unit = bytes > largest_piece ? largest_piece : traffic_block;
  return std::max(bytes - bytes % unit, unit);
}

}  // namespace

Streams::Streams(const Traffic& traffic, std::size_t bytes)
    : traffic_(traffic),
      each_(rounded_down(bytes / static_cast<std::size_t>(traffic.arrays))),
      memory_(static_cast<char*>(operator new(this->bytes(), std::align_val_t(huge_page)))) {
  // With pages of 4 KiB this would measure address translation.
  if (this->bytes() >= huge_page) madvise(memory_, this->bytes(), MADV_HUGEPAGE);
}

Streams::~Streams() { operator delete(memory_, std::align_val_t(huge_page)); }

Work Streams::work() {
  float* const numbers = reinterpret_cast<float*>(memory_);
  std::fill(numbers, numbers + bytes() / sizeof(float), 1.0f);
  const std::size_t piece = std::min(each_, largest_piece);
  const int times = static_cast<int>(std::max<std::size_t>(1, smallest_work / piece));
  return [this, piece, times, at = std::size_t(0)]() mutable {
    std::array<char*, 3> arrays{};
    for (std::size_t k = 0; k < static_cast<std::size_t>(traffic_.arrays); ++k) {
      arrays[k] = memory_ + k * each_ + at;
    }
    traffic_.run(arrays.data(), piece, times);
    at = at + piece < each_ ? at + piece : 0;
    return static_cast<double>(piece) * times * traffic_.arrays;
  };
}

}  // namespace nbody::machine
