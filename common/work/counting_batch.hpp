#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <numeric>
#include <type_traits>
#include <xsimd/xsimd.hpp>

#include "work/counting_number.hpp"

// xsimd::batch<T> for the counting number: sixteen of them, so that every lane is counted, in
// registers or in memory, like a single number. Code for any batch<T> finds these by xsimd's own
// names, if they are declared before it. Functions that are missing here cannot be counted.
namespace xsimd {

template <typename A>
using Numbers = batch<nbody::Counting, A>;
template <typename A>
using Mask = batch_bool<nbody::Counting, A>;

// A lane of the result from the same lane of each argument.
template <typename Result, typename Function, typename... Batches>
Result lane_by_lane(Function function, const Batches&... x) {
  Result result;
  for (std::size_t k = 0; k < Result::size; ++k) result.lanes[k] = function(x.lanes[k]...);
  return result;
}

template <typename A>
class batch_bool<nbody::Counting, A> {
  using M = batch_bool;

 public:
  static constexpr std::size_t size = 16;

  batch_bool(bool value = false) { lanes.fill(value); }
  bool get(std::size_t k) const { return lanes[k]; }

  friend M operator&(const M& a, const M& b) { return lane_by_lane<M>(std::logical_and(), a, b); }
  friend M operator|(const M& a, const M& b) { return lane_by_lane<M>(std::logical_or(), a, b); }
  friend M operator!(const M& a) { return lane_by_lane<M>(std::logical_not(), a); }
  friend M operator&&(const M& a, const M& b) { return a & b; }
  friend M operator||(const M& a, const M& b) { return a | b; }

  std::array<bool, size> lanes;
};

template <typename A>
class batch<nbody::Counting, A> {
  using T = nbody::Counting;
  using B = batch;
  using M = Mask<A>;

 public:
  static constexpr std::size_t size = M::size;
  using value_type = T;
  using arch_type = A;
  using batch_bool_type = M;

  batch() = default;
  batch(const T& value) { lanes.fill(T(value)); }  // one load, like a broadcast
  template <typename Plain, std::enable_if_t<std::is_arithmetic_v<Plain>, int> = 0>
  batch(Plain value) : batch(T(value)) {}
  static B broadcast(const T& value) { return B(value); }

  static B load_unaligned(const T* from) {
    B result;
    for (std::size_t k = 0; k < size; ++k) result.lanes[k] = from[k];
    return result;
  }
  static B load_aligned(const T* from) { return load_unaligned(from); }
  void store_unaligned(T* to) const {
    for (std::size_t k = 0; k < size; ++k) to[k] = lanes[k];
  }
  void store_aligned(T* to) const { store_unaligned(to); }
  T get(std::size_t k) const { return lanes[k]; }

  friend B operator+(const B& a, const B& b) { return lane_by_lane<B>(std::plus(), a, b); }
  friend B operator-(const B& a, const B& b) { return lane_by_lane<B>(std::minus(), a, b); }
  friend B operator*(const B& a, const B& b) { return lane_by_lane<B>(std::multiplies(), a, b); }
  friend B operator/(const B& a, const B& b) { return lane_by_lane<B>(std::divides(), a, b); }
  friend B operator-(const B& a) { return lane_by_lane<B>(std::negate(), a); }
  B& operator+=(const B& other) { return *this = *this + other; }
  B& operator-=(const B& other) { return *this = *this - other; }
  B& operator*=(const B& other) { return *this = *this * other; }
  B& operator/=(const B& other) { return *this = *this / other; }

  friend M operator<(const B& a, const B& b) { return lane_by_lane<M>(std::less(), a, b); }
  friend M operator<=(const B& a, const B& b) { return lane_by_lane<M>(std::less_equal(), a, b); }
  friend M operator==(const B& a, const B& b) { return lane_by_lane<M>(std::equal_to(), a, b); }
  friend M operator>(const B& a, const B& b) { return b < a; }
  friend M operator>=(const B& a, const B& b) { return b <= a; }
  friend M operator!=(const B& a, const B& b) { return !(a == b); }

  std::array<T, size> lanes;
};

// xsimd's functions; more specialised than its own, so that they are chosen.
#define OF_ONE(name)                                           \
  template <typename A>                                        \
  Numbers<A> name(const Numbers<A>& a) {                       \
    return lane_by_lane<Numbers<A>>(nbody::counting::name, a); \
  }
#define OF_TWO(name)                                              \
  template <typename A>                                           \
  Numbers<A> name(const Numbers<A>& a, const Numbers<A>& b) {     \
    return lane_by_lane<Numbers<A>>(nbody::counting::name, a, b); \
  }
OF_ONE(sqrt)
OF_ONE(rsqrt)
OF_ONE(abs)
OF_TWO(min)
OF_TWO(max)
#undef OF_ONE
#undef OF_TWO
template <typename A>
Numbers<A> select(const Mask<A>& mask, const Numbers<A>& yes, const Numbers<A>& no) {
  const auto choose = [](bool taken, auto& x, auto& y) { return taken ? x : y; };
  return lane_by_lane<Numbers<A>>(choose, mask, yes, no);
}

template <typename A>
Numbers<A> fma(const Numbers<A>& a, const Numbers<A>& b, const Numbers<A>& c) {
  return lane_by_lane<Numbers<A>>(nbody::counting::fma, a, b, c);
}
// Signs are free.
template <typename A>
Numbers<A> fnma(const Numbers<A>& a, const Numbers<A>& b, const Numbers<A>& c) {
  return fma(-a, b, c);
}

// One operation less than the number of lanes.
#define REDUCE(name, function)                                                        \
  template <typename A>                                                               \
  nbody::Counting name(const Numbers<A>& a) {                                         \
    return std::accumulate(a.lanes.begin() + 1, a.lanes.end(), a.lanes[0], function); \
  }
REDUCE(reduce_add, std::plus())
REDUCE(reduce_min, nbody::counting::min)
REDUCE(reduce_max, nbody::counting::max)
#undef REDUCE

}  // namespace xsimd
