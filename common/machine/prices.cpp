#include "machine/prices.hpp"

#include "machine/crowd.hpp"
#include "machine/machine.hpp"
#include "machine/operations.hpp"
#include "machine/scalar.hpp"

namespace nbody::machine {
namespace {

constexpr int rounds = 61;
constexpr int operations = 5000 * in_flight;

template <typename T>
std::string precision_of() {
  return sizeof(T) == sizeof(float) ? "float" : "double";
}

Measured each(const Measured& all) { return {all.median / operations, all.spread}; }

template <typename Operation, typename T>
[[gnu::noinline]] void dependent(int count) {
  const Operation operation;
  T value = T(Operation::start), x = T(Operation::x), y = T(Operation::y);
  keep(x);
  keep(y);
  for (int i = 0; i < count; ++i) {
    value = operation(value, x, y);
    keep(value);
  }
}

// A row of the list. `added`: the latency of the addition that follows the operation, to be
// subtracted.
template <typename Operation, typename T>
void add_price(std::vector<Price>& prices, const std::string& name, const std::string& note,
               double added = 0) {
  const auto chain = [] { dependent<Operation, T>(operations); };
  const auto crowd = [] { independent<Operation, Operation, T, T>(operations); };
  Price price{name, precision_of<T>(), note, true, {}, {}};
  price.latency = each(cost_of(chain, rounds).cycles);
  price.latency.median -= added;
  price.one_every = each(cost_of(crowd, rounds).cycles);
  prices.push_back(price);
}

template <typename T>
void add_missing(std::vector<Price>& prices, const std::string& name) {
  prices.push_back({name, precision_of<T>(), "no such instruction", false, {}, {}});
}

template <typename T>
void add_fma(std::vector<Price>& prices) {
  if constexpr (has_fma<Scalar, T>) {
    if (has_features(Scalar::needs_for_fma)) {
      return add_price<Fma<Scalar>, T>(prices, "fma", "a * b + c by one instruction");
    }
  }
  add_missing<T>(prices, "fma");
}

template <typename T>
void add_estimate(std::vector<Price>& prices) {
  if constexpr (has_estimate<Scalar, T>) {
    const bool in_float = sizeof(T) == sizeof(float);
    if (in_float || has_features(Scalar::needs_for_double_estimate)) {
      const std::string name = in_float ? Scalar::float_estimate : Scalar::double_estimate;
      return add_price<Estimate<Scalar>, T>(prices, "rsqrt", "estimate by " + name);
    }
  }
  add_missing<T>(prices, "rsqrt");
}

template <typename T>
void measure(std::vector<Price>& prices) {
  add_price<Add, T>(prices, "add", "");
  const double add = prices.back().latency.median;
  add_price<Mul, T>(prices, "mul", "");
  add_fma<T>(prices);
  add_price<Div, T>(prices, "div", "");
  add_price<Sqrt<Scalar>, T>(prices, "sqrt", "", add);
  add_price<Rsqrt, T>(prices, "1/sqrt", "as the source has it: root, then division", add);
  add_estimate<T>(prices);
  add_price<Pow, T>(prices, "pow", "exponent unknown to the compiler", add);
}

}  // namespace

std::vector<Price> measure_prices() {
  std::vector<Price> prices;
  measure<float>(prices);
  measure<double>(prices);
  return prices;
}

}  // namespace nbody::machine
