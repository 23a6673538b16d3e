#include "work/arena.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <new>
#include <thread>
#include <vector>

#include "work/counts.hpp"

namespace nbody::work {
namespace {

TEST(Arena, TemporariesGiveTheirRoomBack) {
  open_arena();
  const auto first = std::make_unique<int>(1);
  const int* place = nullptr;
  for (int k = 0; k < 1000; ++k) {
    const std::vector<int> temporary(1000);
    if (k == 0) place = temporary.data();
    EXPECT_EQ(temporary.data(), place);
  }
  EXPECT_TRUE(heap.contains(place) && heap.contains(first.get()));
  const int local = 0;
  EXPECT_FALSE(heap.contains(&local));
}

TEST(Arena, BlocksAreAlignedAndApart) {
  struct alignas(256) Wide {
    char bytes[256];
  };
  std::vector<std::unique_ptr<Wide>> wide;
  std::vector<std::unique_ptr<char[]>> narrow;
  for (char k = 0; k < 20; ++k) {
    wide.push_back(std::make_unique<Wide>());
    narrow.push_back(std::make_unique<char[]>(3));
    std::fill_n(wide.back()->bytes, 256, k);
    std::fill_n(narrow.back().get(), 3, k);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(wide.back().get()) % 256, 0u);
  }
  for (char k = 0; k < 20; ++k) {
    EXPECT_TRUE(std::all_of(wide[k]->bytes, wide[k]->bytes + 256, [&](char c) { return c == k; }));
    EXPECT_EQ(narrow[k][0], k);
    EXPECT_EQ(narrow[k][2], k);
  }
  // Called as functions: a new expression whose block is unused may be left out by the compiler.
  EXPECT_THROW((void)::operator new (std::size_t{1} << 40), std::bad_alloc);
  EXPECT_EQ(::operator new (std::size_t{1} << 40, std::nothrow), nullptr);
}

TEST(ArenaDeathTest, ASecondThreadEndsTheProgram) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto use = [] { std::thread([] { (void)::operator new(8); }).join(); };
  EXPECT_DEATH(use(), "counting arena was used by a second thread");
}

}  // namespace
}  // namespace nbody::work
