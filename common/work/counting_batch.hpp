#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <type_traits>
#include <xsimd/xsimd.hpp>

#include "simulator/aligned.hpp"
#include "work/counting_number.hpp"

// xsimd::batch<T> for the counting number: sixteen of them, so that every lane is counted, in
// registers or in memory, like a single number. Code for any batch<T> finds these by xsimd's own
// names, if they are declared before it.
namespace nbody::counting {

constexpr std::size_t lanes = 16;

// A lane of the result from the same lane of each argument.
template <typename Result, typename Function, typename... Batches>
Result lane_by_lane(Function function, const Batches&... x) {
  Result result;
  for (std::size_t k = 0; k < lanes; ++k) result.lane(k) = function(x.lane(k)...);
  return result;
}

}  // namespace nbody::counting

namespace xsimd {

template <typename A>
class batch_bool<nbody::Counting, A> {
 public:
  static constexpr std::size_t size = nbody::counting::lanes;
  using value_type = bool;
  using arch_type = A;
  using batch_type = batch<nbody::Counting, A>;

  batch_bool() = default;
  batch_bool(bool value) { lanes_.fill(value); }
  bool get(std::size_t k) const { return lanes_[k]; }
  bool& lane(std::size_t k) { return lanes_[k]; }
  const bool& lane(std::size_t k) const { return lanes_[k]; }

  friend batch_bool operator!(const batch_bool& a) { return a ^ batch_bool(true); }
  friend batch_bool operator~(const batch_bool& a) { return !a; }
  friend batch_bool operator&&(const batch_bool& a, const batch_bool& b) { return a & b; }
  friend batch_bool operator||(const batch_bool& a, const batch_bool& b) { return a | b; }
  friend batch_bool operator!=(const batch_bool& a, const batch_bool& b) { return a ^ b; }
  friend batch_bool operator==(const batch_bool& a, const batch_bool& b) { return !(a ^ b); }
  friend batch_bool operator&(const batch_bool& a, const batch_bool& b) {
    return nbody::counting::lane_by_lane<batch_bool>(std::logical_and(), a, b);
  }
  friend batch_bool operator|(const batch_bool& a, const batch_bool& b) {
    return nbody::counting::lane_by_lane<batch_bool>(std::logical_or(), a, b);
  }
  friend batch_bool operator^(const batch_bool& a, const batch_bool& b) {
    return nbody::counting::lane_by_lane<batch_bool>(std::not_equal_to(), a, b);
  }

 private:
  std::array<bool, size> lanes_{};
};

template <typename A>
class batch<nbody::Counting, A> {
  using T = nbody::Counting;

 public:
  static constexpr std::size_t size = nbody::counting::lanes;
  using value_type = T;
  using arch_type = A;
  using batch_bool_type = batch_bool<T, A>;

  batch() = default;
  batch(const T& value) { lanes_.fill(T(value)); }  // one load, like a broadcast
  template <typename Plain, std::enable_if_t<std::is_arithmetic_v<Plain>, int> = 0>
  batch(Plain value) : batch(T(value)) {}
  static batch broadcast(const T& value) { return batch(value); }

  static batch load_unaligned(const T* from) {
    batch result;
    for (std::size_t k = 0; k < size; ++k) result.lanes_[k] = from[k];
    return result;
  }
  static batch load_aligned(const T* from) { return load_unaligned(from); }
  template <typename Mode>
  static batch load(const T* from, Mode) {
    return load_unaligned(from);
  }
  void store_unaligned(T* to) const {
    for (std::size_t k = 0; k < size; ++k) to[k] = lanes_[k];
  }
  void store_aligned(T* to) const { store_unaligned(to); }
  template <typename Mode>
  void store(T* to, Mode) const {
    store_unaligned(to);
  }
  T get(std::size_t k) const { return lanes_[k]; }
  T& lane(std::size_t k) { return lanes_[k]; }
  const T& lane(std::size_t k) const { return lanes_[k]; }

  friend batch operator+(const batch& a, const batch& b) { return each(std::plus(), a, b); }
  friend batch operator-(const batch& a, const batch& b) { return each(std::minus(), a, b); }
  friend batch operator*(const batch& a, const batch& b) { return each(std::multiplies(), a, b); }
  friend batch operator/(const batch& a, const batch& b) { return each(std::divides(), a, b); }
  friend batch operator+(const batch& a) { return a; }
  friend batch operator-(const batch& a) { return each(std::negate(), a); }
  batch& operator+=(const batch& other) { return *this = *this + other; }
  batch& operator-=(const batch& other) { return *this = *this - other; }
  batch& operator*=(const batch& other) { return *this = *this * other; }
  batch& operator/=(const batch& other) { return *this = *this / other; }

  friend batch_bool_type operator<(const batch& a, const batch& b) {
    return nbody::counting::lane_by_lane<batch_bool_type>(std::less(), a, b);
  }
  friend batch_bool_type operator<=(const batch& a, const batch& b) {
    return nbody::counting::lane_by_lane<batch_bool_type>(std::less_equal(), a, b);
  }
  friend batch_bool_type operator==(const batch& a, const batch& b) {
    return nbody::counting::lane_by_lane<batch_bool_type>(std::equal_to(), a, b);
  }
  friend batch_bool_type operator>(const batch& a, const batch& b) { return b < a; }
  friend batch_bool_type operator>=(const batch& a, const batch& b) { return b <= a; }
  friend batch_bool_type operator!=(const batch& a, const batch& b) { return !(a == b); }

 private:
  template <typename Function, typename... Batches>
  static batch each(Function function, const Batches&... x) {
    return nbody::counting::lane_by_lane<batch>(function, x...);
  }

  std::array<T, size> lanes_;
};

}  // namespace xsimd

#include "work/counting_batch_functions.hpp"
