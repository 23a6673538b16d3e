#include "cuda/on_cpu/fibre.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace nbody::on_cpu {
namespace {

// What they keep on their stacks and in their registers is their own.
TEST(Fibre, GoesOnWhereItPausedWhileOthersRun) {
  std::vector<Fibre> fibres(500);
  std::vector<int> seen(fibres.size(), 0);
  std::vector<std::function<void()>> works;
  for (std::size_t f = 0; f < fibres.size(); ++f) {
    works.push_back([&, f] {
      for (int k = 1; k <= 3; ++k) {
        seen[f] = k;
        fibres[f].pause();
      }
    });
  }
  for (std::size_t f = 0; f < fibres.size(); ++f) fibres[f].start(works[f]);
  for (int k = 1; k <= 4; ++k) {
    for (std::size_t f = 0; f < fibres.size(); ++f) {
      fibres[f].go_on();
      EXPECT_EQ(seen[f], std::min(k, 3));
      EXPECT_EQ(fibres[f].ended(), k == 4);
    }
  }
}

TEST(Fibre, BeginsAnewWhetherItHasEndedOrNotAndCatchesOnItsOwnStack) {
  Fibre fibre;
  int begun = 0, caught = 0;
  const std::function<void()> work = [&] {
    try {
      ++begun;
      fibre.pause();
      throw 7;
    } catch (int number) {
      caught += number;
    }
  };
  for (int k = 0; k < 5; ++k) {
    fibre.start(work);
    fibre.go_on();
    if (k % 2 == 0) fibre.go_on();
  }
  EXPECT_EQ(begun, 5);
  EXPECT_EQ(caught, 3 * 7);
}

}  // namespace
}  // namespace nbody::on_cpu
