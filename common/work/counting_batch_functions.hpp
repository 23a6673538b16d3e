#pragma once

#include "work/counting_batch.hpp"

// xsimd's functions for batches of counting numbers. More specialised than xsimd's own, so that
// they are chosen. Functions that are missing here cannot be counted.
namespace xsimd {

template <typename A>
using CountingBatch = batch<nbody::Counting, A>;
template <typename A>
using CountingMask = batch_bool<nbody::Counting, A>;

// fms, fnma, fnms: signs are free.
template <typename A>
CountingBatch<A> fma(const batch<nbody::Counting, A>& a, const batch<nbody::Counting, A>& b,
                     const batch<nbody::Counting, A>& c) {
  return nbody::counting::lane_by_lane<CountingBatch<A>>(
      [](auto& x, auto& y, auto& z) { return std::fma(x, y, z); }, a, b, c);
}
template <typename A>
CountingBatch<A> fms(const batch<nbody::Counting, A>& a, const batch<nbody::Counting, A>& b,
                     const batch<nbody::Counting, A>& c) {
  return fma(a, b, -c);
}
template <typename A>
CountingBatch<A> fnma(const batch<nbody::Counting, A>& a, const batch<nbody::Counting, A>& b,
                      const batch<nbody::Counting, A>& c) {
  return fma(-a, b, c);
}
template <typename A>
CountingBatch<A> fnms(const batch<nbody::Counting, A>& a, const batch<nbody::Counting, A>& b,
                      const batch<nbody::Counting, A>& c) {
  return fma(-a, b, -c);
}

template <typename A>
CountingBatch<A> sqrt(const batch<nbody::Counting, A>& a) {
  return nbody::counting::lane_by_lane<CountingBatch<A>>([](auto& x) { return std::sqrt(x); }, a);
}
template <typename A>
CountingBatch<A> rsqrt(const batch<nbody::Counting, A>& a) {
  return nbody::counting::lane_by_lane<CountingBatch<A>>(
      [](auto& x) { return nbody::counting::rsqrt(x); }, a);
}
template <typename A>
CountingBatch<A> abs(const batch<nbody::Counting, A>& a) {
  return nbody::counting::lane_by_lane<CountingBatch<A>>([](auto& x) { return std::abs(x); }, a);
}
template <typename A>
CountingBatch<A> neg(const batch<nbody::Counting, A>& a) {
  return -a;
}
template <typename A>
CountingBatch<A> min(const batch<nbody::Counting, A>& a, const batch<nbody::Counting, A>& b) {
  return nbody::counting::lane_by_lane<CountingBatch<A>>(
      [](auto& x, auto& y) { return std::min(x, y); }, a, b);
}
template <typename A>
CountingBatch<A> max(const batch<nbody::Counting, A>& a, const batch<nbody::Counting, A>& b) {
  return nbody::counting::lane_by_lane<CountingBatch<A>>(
      [](auto& x, auto& y) { return std::max(x, y); }, a, b);
}
template <typename A>
CountingBatch<A> select(const batch_bool<nbody::Counting, A>& mask,
                        const batch<nbody::Counting, A>& yes, const batch<nbody::Counting, A>& no) {
  return nbody::counting::lane_by_lane<CountingBatch<A>>(
      [](bool taken, auto& x, auto& y) { return taken ? x : y; }, mask, yes, no);
}

// One operation less than the number of lanes.
template <typename A, typename Function>
nbody::Counting reduce_lanes(const batch<nbody::Counting, A>& a, Function function) {
  nbody::Counting result = a.lane(0);
  for (std::size_t k = 1; k < nbody::counting::lanes; ++k) result = function(result, a.lane(k));
  return result;
}
template <typename A>
nbody::Counting reduce_add(const batch<nbody::Counting, A>& a) {
  return reduce_lanes(a, [](auto& x, auto& y) { return x + y; });
}
template <typename A>
nbody::Counting reduce_min(const batch<nbody::Counting, A>& a) {
  return reduce_lanes(a, [](auto& x, auto& y) { return std::min(x, y); });
}
template <typename A>
nbody::Counting reduce_max(const batch<nbody::Counting, A>& a) {
  return reduce_lanes(a, [](auto& x, auto& y) { return std::max(x, y); });
}

template <typename A>
bool any(const batch_bool<nbody::Counting, A>& mask) {
  for (std::size_t k = 0; k < mask.size; ++k) {
    if (mask.lane(k)) return true;
  }
  return false;
}
template <typename A>
bool none(const batch_bool<nbody::Counting, A>& mask) {
  return !any(mask);
}
template <typename A>
bool all(const batch_bool<nbody::Counting, A>& mask) {
  return !any(!mask);
}

template <typename A = default_arch>
CountingBatch<A> load_aligned(const nbody::Counting* from) {
  return CountingBatch<A>::load_aligned(from);
}
template <typename A = default_arch>
CountingBatch<A> load_unaligned(const nbody::Counting* from) {
  return CountingBatch<A>::load_unaligned(from);
}
template <typename A>
void store_aligned(nbody::Counting* to, const batch<nbody::Counting, A>& value) {
  value.store_aligned(to);
}
template <typename A>
void store_unaligned(nbody::Counting* to, const batch<nbody::Counting, A>& value) {
  value.store_unaligned(to);
}

// xsimd's own uses malloc, which is not seen.
template <std::size_t Align>
class aligned_allocator<nbody::Counting, Align> : public nbody::AlignedAllocator<nbody::Counting> {
 public:
  template <typename Other>
  struct rebind {
    using other = aligned_allocator<Other, Align>;
  };
  aligned_allocator() = default;
  template <typename Other>
  aligned_allocator(const aligned_allocator<Other, Align>&) {}
};

}  // namespace xsimd
