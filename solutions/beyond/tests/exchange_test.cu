// The shapes of exchange: host code, so no GPU is needed.
#include <gtest/gtest.h>

#include "../exchange.cuh"

namespace nbody {
namespace {

TEST(Exchange, NoBlockWithoutBodiesAndRoomForAll) {
  for (const ExchangeShape& shape : exchange_shapes) {
    for (int n = 1; n <= 5000; ++n) {
      EXPECT_LT((shape.blocks(n) - 1) * shape.own, n);
      EXPECT_GE(shape.blocks(n) * shape.own, n);
      EXPECT_GE(shape.rows(n), shape.blocks(n) * shape.own);
      EXPECT_EQ(shape.rows(n) % shape.groups(), 0);
    }
  }
}

TEST(Exchange, WhatSuitsAnH200) {
  const auto first_that_suits = [](std::size_t n) {
    for (std::size_t k = 0; k < exchange_shapes.size(); ++k) {
      if (exchange_shapes[k].suits(n, 132, 232448)) return static_cast<int>(k);
    }
    return -1;
  };
  const std::pair<std::size_t, int> rows[] = {{1, 0},    {512, 0},  {513, 1},   {1024, 1},
                                              {1025, 2}, {4096, 3}, {4097, -1}, {1ull << 32, -1}};
  for (const auto& [n, shape] : rows) EXPECT_EQ(first_that_suits(n), shape) << n;
  // The same number of bodies on a GPU with fewer multiprocessors, or with less shared memory.
  EXPECT_FALSE(exchange_shapes[0].suits(512, 127, 232448));
  EXPECT_FALSE(exchange_shapes[3].suits(4096, 132, 65536));
}

}  // namespace
}  // namespace nbody
