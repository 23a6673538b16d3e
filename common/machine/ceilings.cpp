#include "machine/ceilings.hpp"

#include <algorithm>
#include <vector>

#include "machine/crowd.hpp"
#include "machine/instructions.hpp"

namespace nbody {
namespace {

constexpr int rounds = 61;
constexpr int operations = 240000;
// A card is no reason to fill anybody's memory, or to wait.
constexpr std::size_t largest_array = 240u << 20;
constexpr std::size_t smallest_memory_array = 64u << 20;

// Half of them add, half multiply. Some processors have a unit for each, some two for both.
[[gnu::noinline]] void add_and_multiply() {
  float step = 1e-5f, factor = 1;
  keep(step);
  keep(factor);
  const auto add = [&](float& value) {
    value += step;
    keep(value);
  };
  const auto multiply = [&](float& value) {
    value *= factor;
    keep(value);
  };
  in_a_crowd(1.2345678f, operations, add, multiply);
}

[[gnu::noinline]] void multiply_and_add() {
  float step = 1e-5f, factor = 1;
  keep(step);
  keep(factor);
  const auto next = [&](float& value) {
    value = hardware_fma(value, factor, step);
    keep(value);
  };
  in_a_crowd(1.2345678f, operations, next, next);
}

// Each number is loaded into a register, and that is all.
[[gnu::noinline]] void load(const std::vector<float>& numbers, int times) {
  constexpr std::size_t together = 16;
  for (int time = 0; time < times; ++time) {
    const float* number = numbers.data();
    const float* const end = number + numbers.size();
    for (; number != end; number += together) {
      for (std::size_t k = 0; k < together; ++k) {
        float value = number[k];
        keep(value);
      }
    }
  }
}

Measured rate(double amount, const Cost& cost) {
  return {amount / cost.seconds.median, cost.seconds.spread};
}

Measured load_rate(std::size_t bytes, int times, int repeats) {
  const std::vector<float> numbers(bytes / sizeof(float), 1.0f);
  const Cost cost = cost_of([&] { load(numbers, times); }, repeats);
  return rate(static_cast<double>(bytes) * times, cost);
}

}  // namespace

Ceilings measure_ceilings(std::size_t l1_bytes, std::size_t largest_cache_bytes,
                          const std::function<void(const std::string&)>& on_progress) {
  Ceilings ceilings;
  on_progress("peak of additions and multiplications");
  ceilings.flops_per_second = rate(operations, cost_of(add_and_multiply, rounds));
  if (has_hardware_fma()) {
    on_progress("peak of fma");
    ceilings.fma_flops_per_second = rate(2.0 * operations, cost_of(multiply_and_add, rounds));
  }
  on_progress("loads from L1");
  // Half of it: the other half is for whoever else is there. A multiple of what is loaded together.
  ceilings.l1_array = std::clamp<std::size_t>(l1_bytes / 2, 8 << 10, 64 << 10) & ~std::size_t(1023);
  ceilings.l1_bytes_per_second = load_rate(ceilings.l1_array, 32, rounds);
  on_progress("loads from memory");
  ceilings.memory_array = std::clamp(4 * largest_cache_bytes, smallest_memory_array, largest_array);
  ceilings.memory_bytes_per_second = load_rate(ceilings.memory_array, 1, 9);
  return ceilings;
}

}  // namespace nbody
