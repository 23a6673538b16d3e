#pragma once

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "../../../../part4_mpi/naive.hpp"

namespace nbody {

// Written for and tried on two ranks: the bodies of the others stand still, although all forces are
// right for the positions that the bodies have.
class TwoRanksOnly : public Naive {
 public:
  using Naive::Naive;

  void update_bodies(real dt) override {
    const Bodies<real> before = bodies;
    Naive::update_bodies(dt);
    for (int i = first_of(std::min(ranks, 2)); i < n(); ++i) {
      for (std::size_t k = 0; k < bodies.columns().size(); ++k) {
        (*bodies.columns()[k])[i] = (*before.columns()[k])[i];
      }
    }
  }
};

// A rank with nothing to do ends its program. The others wait for it in their next call of MPI, for
// ever unless something ends them.
class EarlyExit : public Naive {
 public:
  using Naive::Naive;

  void update_bodies(real dt) override {
    if (count_of(rank) == 0) std::exit(0);
    Naive::update_bodies(dt);
  }
};

// Only one rank notices an error, with 2000 bodies another one, and throws, while the others wait
// for it in a call.
class OneRankThrows : public Naive {
 public:
  using Naive::Naive;

  void compute_accelerations() override {
    const int alert = n() < 2000 ? 0 : 1;
    if (rank == alert && n() > 1000) throw std::runtime_error("too many bodies for me");
    Naive::compute_accelerations();
  }
};

}  // namespace nbody
