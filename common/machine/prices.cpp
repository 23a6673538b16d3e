#include "machine/prices.hpp"

#include <cmath>

#include "machine/crowd.hpp"
#include "machine/instructions.hpp"

namespace nbody {
namespace {

constexpr int rounds = 61;
constexpr int operations = 2000 * in_flight;

// Each operation leaves a value of about its own size with all its bits in use, since some
// processors divide sooner by a simple number. `x` and `y` are unknown to the compiler.
struct Add {
  template <typename T>
  T operator()(T value, T x, T) const {
    return value + x;
  }
};
struct Mul {
  template <typename T>
  T operator()(T value, T, T y) const {
    return value * y;
  }
};
struct Fma {
  template <typename T>
  T operator()(T value, T x, T y) const {
    return hardware_fma(value, y, x);
  }
};
struct Div {
  template <typename T>
  T operator()(T value, T x, T) const {
    return x / value;
  }
};
// A root of a root of a root is 1, whose root may be cheaper: so something is added to each.
struct Sqrt {
  template <typename T>
  T operator()(T value, T x, T) const {
    return std::sqrt(value) + x;
  }
};
struct Rsqrt {
  template <typename T>
  T operator()(T value, T x, T) const {
    return T(1) / std::sqrt(value) + x;
  }
};
struct Estimate {
  template <typename T>
  T operator()(T value, T x, T) const {
    return estimate_rsqrt(value) + x;
  }
};
struct Pow {
  template <typename T>
  T operator()(T value, T x, T y) const {
    return std::pow(value, y) + x;
  }
};

template <typename T>
std::string precision_of() {
  return sizeof(T) == sizeof(float) ? "float" : "double";
}

Measured each(const Measured& all) { return {all.median / operations, all.spread}; }

template <typename T>
struct Operands {
  T start, x, y;
};

template <typename Operation, typename T>
[[gnu::noinline]] void dependent(const Operands<T>& operands, int count) {
  const Operation operation;
  T value = operands.start, x = operands.x, y = operands.y;
  keep(x);
  keep(y);
  for (int i = 0; i < count; ++i) {
    value = operation(value, x, y);
    keep(value);
  }
}

template <typename Operation, typename T>
[[gnu::noinline]] void independent(const Operands<T>& operands, int count) {
  const Operation operation;
  T x = operands.x, y = operands.y;
  keep(x);
  keep(y);
  const auto next = [&](T& value) {
    value = operation(value, x, y);
    keep(value);
  };
  in_a_crowd(operands.start, count, next, next);
}

// A row of the list. `added`: the latency of the addition behind the operation, none of its own.
template <typename Operation, typename T>
void add_price(std::vector<Price>& prices, const std::string& name, const std::string& note,
               const Operands<T>& operands, double added = 0) {
  const auto chain = [&] { dependent<Operation>(operands, operations); };
  const auto crowd = [&] { independent<Operation>(operands, operations); };
  Price price{name, precision_of<T>(), note, true, {}, {}};
  price.latency = each(cost_of(chain, rounds).cycles);
  price.latency.median -= added;
  price.one_every = each(cost_of(crowd, rounds).cycles);
  prices.push_back(price);
}

template <typename T>
void measure(std::vector<Price>& prices, const std::function<void(const std::string&)>& progress) {
  const auto next = [&](const char* name) { progress(name + (", " + precision_of<T>())); };
  const Operands<T> sum{T(1.2345678901), T(1e-5), T(1)}, quotient{sum.start, T(1.7654321098), T(1)};
  const Operands<T> root{sum.start, T(0.3456789012), T(1)};
  const Operands<T> power{T(0.3456789012), T(0.2345678901), T(2)};

  next("add");
  add_price<Add>(prices, "add", "", sum);
  const double add = prices.back().latency.median;
  next("mul");
  add_price<Mul>(prices, "mul", "", sum);
  next("fma");
  if (has_hardware_fma()) {
    add_price<Fma>(prices, "fma", "a * b + c by one instruction", sum);
  } else {
    prices.push_back({"fma", precision_of<T>(), "no such instruction", false, {}, {}});
  }
  next("div");
  add_price<Div>(prices, "div", "", quotient);
  next("sqrt");
  add_price<Sqrt>(prices, "sqrt", "", root, add);
  next("1/sqrt");
  add_price<Rsqrt>(prices, "1/sqrt", "as the source has it: root, then division", root, add);
  next("rsqrt");
  const std::string instruction = name_of_estimate<T>();
  if (instruction.empty()) {
    prices.push_back({"rsqrt", precision_of<T>(), "no such instruction", false, {}, {}});
  } else {
    add_price<Estimate>(prices, "rsqrt", "estimate by " + instruction, root, add);
  }
  next("pow");
  add_price<Pow>(prices, "pow", "exponent unknown to the compiler", power, add);
}

}  // namespace

std::vector<Price> measure_prices(const std::function<void(const std::string&)>& on_progress) {
  std::vector<Price> prices;
  measure<float>(prices, on_progress);
  measure<double>(prices, on_progress);
  return prices;
}

}  // namespace nbody
