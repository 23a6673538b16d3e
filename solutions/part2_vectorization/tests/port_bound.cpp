// The bound of README.md, measured: the cycles of one step of direct and third law when
// every operand is in a register and nothing waits. Needs AVX-512. Build it as that page says.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>

#if defined(__AVX512F__)

namespace {

// An approximate 1/sqrt (or none) and some fma of 16 floats, at most 18, all independent: each has
// a register of its own, and all read zmm31. In assembly, so that nothing is dropped or merged.
// The fma stand for products, sums and differences too, which take the same ports.
template <int fmas, bool estimate>
void step() {
  asm volatile(
      ".if %c1\n vrsqrt14ps %%zmm31, %%zmm30\n .endif\n"
      ".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17\n"
      ".if \\n < %c0\n vfmadd231ps %%zmm31, %%zmm31, %%zmm\\n\n .endif\n"
      ".endr" ::"i"(fmas),
      "i"(estimate)
      : "zmm0", "zmm1", "zmm2", "zmm3", "zmm4", "zmm5", "zmm6", "zmm7", "zmm8", "zmm9", "zmm10",
        "zmm11", "zmm12", "zmm13", "zmm14", "zmm15", "zmm16", "zmm17", "zmm30");
}

// Nanoseconds; best of many short measurements, since what disturbs can only add.
template <int fmas, bool estimate>
double time_of_step() {
  const float half = 0.5F;
  const int steps = 50'000;
  double best = std::numeric_limits<double>::infinity();
  for (int repetition = 0; repetition < 400; ++repetition) {
    const auto start = std::chrono::steady_clock::now();
    asm volatile("vbroadcastss %0, %%zmm31" ::"m"(half) : "zmm31");
    for (int k = 0; k < steps; ++k) step<fmas, estimate>();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    best = std::min(best, seconds.count() / steps * 1e9);
  }
  return best;
}

// One fma waits for the one before: 4 cycles, as published.
double time_of_cycle() { return time_of_step<1, false>() / 4; }

}  // namespace

int main() {
  const double cycle = time_of_cycle();
  const double direct = time_of_step<14, true>() / cycle;
  const double third_law = time_of_step<18, true>() / cycle;
  std::printf("clock with 512 bits     %5.2f GHz\n", 1 / cycle);
  std::printf("fma a cycle             %5.2f\n", 16 / (time_of_step<16, false>() / cycle));
  std::printf("direct step             %5.2f cycles, %.2f interactions a cycle\n", direct,
              16 / direct);
  std::printf("third-law step          %5.2f cycles, %.2f interactions a cycle\n", third_law,
              32 / third_law);
}

#else

int main() { std::puts("no AVX-512 here, or not compiled for it: nothing measured"); }

#endif
