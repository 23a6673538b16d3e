// main() of the tests that need a GPU: without one they are skipped.
#include <gtest/gtest.h>

#include <cstdio>

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  int gpus = 0;
  if (cudaGetDeviceCount(&gpus) != cudaSuccess || gpus == 0) {
    std::puts("skipped: needs a GPU");
    return 77;
  }
  return RUN_ALL_TESTS();
}
