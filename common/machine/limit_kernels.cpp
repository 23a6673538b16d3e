// Five loops of scalar floats, each made to hit one limit: what the rule of ./lab roofline is
// tested on. It prints the time per element of each, in seconds, and the work per element by the
// source.
#include <cmath>
#include <cstdio>
#include <vector>

#include "machine/crowd.hpp"
#include "machine/operations.hpp"
#include "machine/scalar.hpp"
#include "machine/team.hpp"

namespace {

using nbody::machine::keep, nbody::machine::Scalar;

constexpr int elements = 2000 * nbody::machine::in_flight;

struct QuotientOfRoot : nbody::machine::Root {
  float operator()(float value, float x, float) const { return x / std::sqrt(value); }
};

// Fourteen independent numbers.
template <typename Operation>
void independent() {
  nbody::machine::independent<Operation, Operation, float, float>(elements);
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

// In the best of many windows, like ceilings.
double seconds_an_element(void (*kernel)()) {
  const auto work_of = [kernel](std::size_t) {
    return [kernel] {
      kernel();
      return double(elements);
    };
  };
  return 1 / nbody::machine::rate_of({0}, work_of, {0.02, 0.1}).best;
}

struct Kernel {
  const char *name, *work;
  int chain_of_fma;  // fma per element that wait for one another
  void (*run)();
};

const Kernel kernels[] = {
    {"square root and division", R"({"sqrt": 1, "div": 1})", 0, independent<QuotientOfRoot>},
    {"adding and multiplying", R"({"fma": 1})", 0, independent<nbody::machine::Fma<Scalar>>},
    {"estimate of 1/sqrt", R"({"rsqrt": 1})", 0, independent<nbody::machine::Estimate<Scalar>>},
    {"loads from L1", R"({"loads": 4, "add": 1})", 0, loads},
    {"latency", R"({"fma": 1})", 1, chain},
};

}  // namespace

int main() {
  const char* between = "[";
  for (const Kernel& kernel : kernels) {
    std::printf(
        "%s\n {\"hits\": \"%s\", \"work\": %s, \"chain_of_fma\": %d, \"seconds_an_element\": %.6e}",
        between, kernel.name, kernel.work, kernel.chain_of_fma, seconds_an_element(kernel.run));
    between = ",";
  }
  std::puts("\n]");
}
