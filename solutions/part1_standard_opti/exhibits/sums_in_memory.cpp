// How many cycles an iteration of algebra needs for its sums alone: they lie in memory, so each
// addition loads what the one before has stored. Needs x86-64. README.md says how to build it.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>

#ifndef __x86_64__
#error "needs x86-64"
#endif

struct Sums {
  float ax = 0, ay = 0, az = 0;
};

// As g++ 12 compiles algebra: x and y side by side, z by itself.
static void add_to_memory(Sums& sums) {
  asm volatile(
      "movq %0, %%xmm0\n addps %%xmm1, %%xmm0\n movlps %%xmm0, %0\n"
      "movaps %%xmm1, %%xmm2\n addss %1, %%xmm2\n movss %%xmm2, %1\n"
      : "+m"(sums.ax), "+m"(sums.az)::"xmm0", "xmm2", "memory");
}

static void add_to_register(unsigned long& number) {
  asm volatile("add $1, %0" : "+r"(number)::"cc");
}

// Nanoseconds of one call; the best of many short measurements, since what disturbs can only add.
template <class Call>
static double time_of(Call call) {
  const int calls = 100'000;
  double best = std::numeric_limits<double>::infinity();
  for (int repetition = 0; repetition < 200; ++repetition) {
    const auto start = std::chrono::steady_clock::now();
    for (int k = 0; k < calls; k += 4) call(), call(), call(), call();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    best = std::min(best, seconds.count() / calls * 1e9);
  }
  return best;
}

int main() {
  Sums sums;
  unsigned long number = 0;
  const double cycle = time_of([&] { add_to_register(number); });  // each waits for the one before
  std::printf("clock           %5.2f GHz\n", 1 / cycle);
  std::printf("sums in memory  %5.2f cycles an iteration\n",
              time_of([&] { add_to_memory(sums); }) / cycle);
}
