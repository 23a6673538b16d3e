#pragma once

#include "simulator/threads.hpp"
#include "third_law.hpp"

namespace nbody {

// Problem: with the third law two threads write to the same body j.
// Idea: sums of its own for each thread, blocks of rows dealt out in turn: a block has one batch
// less to meet than the one before, so that neighbours are nearly equal. For a fixed number of
// threads every sum is added up in one order: the same bits in every run. Changed: a share for each
// thread, and their sum at the end.
template <typename T>
class OpenmpThirdLaw : public ThirdLaw<T> {
 public:
  using ThirdLaw<T>::ThirdLaw;

  void compute_accelerations() override {
    this->pad();
    shares.resize(threads_in_use());
#pragma omp parallel for schedule(static, 1)
    for (std::size_t share = 0; share < shares.size(); ++share) add_share(share);
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < this->bodies.size(); ++i) combine(i);
  }

  T largest_time_step() override {
    nearest2.resize(this->bodies.size());
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < nearest2.size(); ++i)
      nearest2[i] = Padded<T>::nearest_neighbour2(i);
    return ThirdLaw<T>::largest_time_step();
  }

 protected:
  T nearest_neighbour2(std::size_t i) const override { return nearest2[i]; }

 private:
  using typename ThirdLaw<T>::Sums;
  using ThirdLaw<T>::rows;

  void add_share(std::size_t share) {
    shares[share] = this->start_sums();
    for (std::size_t i = share * rows; i < this->padded_size(); i += shares.size() * rows) {
      this->add_rows(shares[share], i);
    }
  }

  void combine(std::size_t i) {
    T ax = T(0), ay = T(0), az = T(0);
    for (const Sums& share : shares) {
      ax += share.x[i];
      ay += share.y[i];
      az += share.z[i];
    }
    const T factor = this->G * T(InverseCube<T>::missing_factor);
    this->acceleration.x[i] = factor * ax;
    this->acceleration.y[i] = factor * ay;
    this->acceleration.z[i] = factor * az;
  }

  std::vector<Sums> shares;
  std::vector<T> nearest2;
};

}  // namespace nbody
