// Five loops of scalar floats, each made to hit one limit: what the rule of ./lab roofline is
// tested on. The rates are elements per second; common/lab/tests/limits/roofline_limits_test.py
// knows what an element is by the source.
#include <cmath>
#include <vector>

#include "machine/crowd.hpp"
#include "machine/instruction_sets.hpp"
#include "machine/operations.hpp"
#include "machine/rates.hpp"

namespace nbody::machine {
namespace {

constexpr int elements = 2000 * in_flight;

struct QuotientOfRoot : Root {
  float operator()(float value, float x, float) const { return x / std::sqrt(value); }
};

// Fourteen independent numbers.
template <typename Operation>
void crowd() {
  independent<Operation, Operation, float, float>(elements);
}

// Loads four numbers of an array that fits into L1, adds one of them to a sum.
[[gnu::noinline]] void loads() {
  static const std::vector<float> numbers(4000, 1.0F);
  float a = 0, b = 0, c = 0, d = 0;
  const auto add_first = [](const float* four, float& sum) {
    float first = four[0], second = four[1], third = four[2], fourth = four[3];
    keep(first), keep(second), keep(third), keep(fourth);
    sum += first;
    keep(sum);
  };
  for (int done = 0; done < elements; done += 1000) {
    for (const float *at = numbers.data(), *end = at + numbers.size(); at != end; at += 16) {
      add_first(at, a), add_first(at + 4, b), add_first(at + 8, c), add_first(at + 12, d);
    }
  }
  keep(a), keep(b), keep(c), keep(d);
}

// Each fma waits for the previous one.
[[gnu::noinline]] void chain() {
  float step = 1e-5F, factor = 1, value = 1.2345678F;
  keep(step), keep(factor);
  for (int done = 0; done < elements; ++done) {
    value = Scalar::fma(step, factor, value);
    keep(value);
  }
}

void add(const std::string& limit, void (*run)()) {
  add_rate(limit, 0.1, [run] {
    run();
    return double(elements);
  });
}

}  // namespace
}  // namespace nbody::machine

int main(int argc, char** argv) {
  using namespace nbody::machine;
  add("square root and division", crowd<QuotientOfRoot>);
  add("adding and multiplying", crowd<Fma<Scalar>>);
  add("estimate of 1-sqrt", crowd<Estimate<Scalar>>);
  add("loads from L1", loads);
  add("latency", chain);
  run_benchmarks(argc, argv);
}
