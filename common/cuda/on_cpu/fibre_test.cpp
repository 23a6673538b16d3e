#include "cuda/on_cpu/fibre.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <vector>

namespace nbody::on_cpu {
namespace {

TEST(Fibre, GoesOnWhereItPaused) {
  Fibre fibre;
  std::vector<int> seen;
  const std::function<void()> work = [&] {
    for (int k = 0; k < 3; ++k) {
      seen.push_back(k);
      fibre.pause();
    }
  };
  fibre.start(work);
  for (int k = 0; k < 3; ++k) {
    fibre.go_on();
    EXPECT_EQ(seen.size(), k + 1u);
    EXPECT_FALSE(fibre.ended());
  }
  fibre.go_on();
  EXPECT_TRUE(fibre.ended());
}

TEST(Fibre, BeginsAnewWhetherItHasEndedOrNot) {
  Fibre fibre;
  int begun = 0, ended = 0;
  const std::function<void()> work = [&] {
    ++begun;
    fibre.pause();
    ++ended;
  };
  for (int k = 0; k < 5; ++k) {
    fibre.start(work);
    fibre.go_on();
    if (k % 2 == 0) fibre.go_on();
  }
  EXPECT_EQ(begun, 5);
  EXPECT_EQ(ended, 3);
}

// What each keeps on its stack and in its registers is its own.
TEST(Fibre, ManyTakeTurns) {
  constexpr int many = 500, turns = 20;
  std::vector<std::unique_ptr<Fibre>> fibres;
  std::vector<std::function<void()>> works(many);
  std::vector<double> sums(many, 0);
  for (int f = 0; f < many; ++f) {
    fibres.push_back(std::make_unique<Fibre>());
    works[f] = [&, f] {
      double sum = 0;
      std::vector<int> own(100, f);
      for (int k = 0; k < turns; ++k) {
        sum += std::accumulate(own.begin(), own.end(), 0.0);
        fibres[f]->pause();
      }
      sums[f] = sum;
    };
    fibres[f]->start(works[f]);
  }
  for (int k = 0; k <= turns; ++k) {
    for (int f = 0; f < many; ++f) fibres[k % 2 == 0 ? f : many - 1 - f]->go_on();
  }
  for (int f = 0; f < many; ++f) EXPECT_EQ(sums[f], 100.0 * turns * f);
}

TEST(Fibre, ThrowsAndCatchesOnItsOwnStack) {
  Fibre fibre;
  int caught = 0;
  const std::function<void()> work = [&] {
    try {
      fibre.pause();
      throw 7;
    } catch (int number) {
      caught = number;
    }
  };
  fibre.start(work);
  fibre.go_on();
  fibre.go_on();
  EXPECT_EQ(caught, 7);
  EXPECT_TRUE(fibre.ended());
}

}  // namespace
}  // namespace nbody::on_cpu
