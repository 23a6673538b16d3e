// main() of the tests that need a GPU: without one they are skipped.
#include <gtest/gtest.h>

#include <cstdio>

#include "machine/machine.hpp"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (!nbody::machine::gpu_answers()) {
    std::puts("skipped: needs a GPU");
    return 77;
  }
  return RUN_ALL_TESTS();
}
