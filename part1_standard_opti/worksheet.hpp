#pragma once

#include "worksheet/answers.hpp"

namespace nbody {

// How to answer: docs/using_the_lab.md#the-worksheet. A count is an expression such as
// 3 * n * (n - 1), a letter is 'a', 'b', 'c' or 'd'.
struct Worksheet {
  double n;  // number of bodies

  // 0   Your names, "Ada Lovelace, Charles Babbage".
  std::string authors = "";

  // --- Task 2: profile ---------------------------------------------------------------------------
  // 1   Naive, percent of the time in compute_accelerations() and in largest_time_step().
  double forces_percent = unanswered;
  double neighbours_percent = unanswered;
  // 2   The speed-up if compute_accelerations() took no time.
  double speed_up_without_forces = unanswered;

  // --- Task 3: flops -----------------------------------------------------------------------------
  // 3   Operations in one call of naive's compute_accelerations(), as written.
  double naive_add = unanswered;  // and subtract; += is one of them
  double naive_mul = unanswered;
  double naive_div = unanswered;
  double naive_sqrt = unanswered;
  double naive_pow = unanswered;

  // --- Task 4: memory accesses ------------------------------------------------------------------
  // 4   Its memory accesses, as written; local variables, G and softening are in registers.
  //     Example: y[i] = y[i] + a * x[i] is two loads and one store.
  double naive_loads = unanswered;
  double naive_stores = unanswered;
  // 5   With mass, position and the three sums of body i in registers: loaded before the loop over
  //     j (sums start at 0), stored after it. 1 % is allowed.
  double naive_loads_in_registers = unanswered;
  double naive_stores_in_registers = unanswered;

  // --- Task 5: roofline by hand -----------------------------------------------------------------
  // 6   Intensity in flop/byte, n = 1000, 4 bytes per access: with question 4, with question 5.
  double intensity = unanswered;
  double intensity_in_registers = unanswered;
  // 7   Gflop/s that your hypothetical machine attains with each, without fma.
  double attainable_on_paper = unanswered;
  double attainable_on_paper_in_registers = unanswered;

  // --- Task 6: bound by what? --------------------------------------------------------------------
  // 8   Its limit, as written and in registers: a) computing and computing, b) memory and
  //     memory, c) memory and computing, d) computing and memory.
  char bound_on_paper = no_choice;
  // 9   ./lab machine: peak without SIMD and fma, bandwidth of L1; what is attainable with the
  //     first intensity of question 6. 5 % is allowed.
  double peak_here = unanswered;       // Gflop/s
  double bandwidth_here = unanswered;  // GB/s
  double attainable_here = unanswered;
  // 10  Gflop/s of naive with n = 1000, after question 3; in percent of question 9; the limit: a)
  //     the peak of additions and multiplications, b) loads and stores, c) the bandwidth of main
  //     memory, d) the one unit that divides and takes roots.
  double naive_gflops_here = unanswered;
  double reached_percent = unanswered;
  char limited_by = no_choice;

  // --- Task 7: sizes -----------------------------------------------------------------------------
  // 11  From 1000 to 20000 bodies, naive's interactions/s: a) rise steadily, b) fall once the
  //     bodies no longer fit into L1, c) stay within some percent, d) fall like 1/n. Why? a) naive
  //     waits for main memory, b) a cache still holds all bodies, and computing takes longer than
  //     loading, c) the CPU raises its clock, d) the compiler keeps all bodies in registers.
  char with_more_bodies = no_choice;
  char with_more_bodies_why = no_choice;
  // 12  Time per iteration with 20000 bodies over that with 1000.
  double time_ratio = unanswered;

  // --- Task 8: fewer operations ------------------------------------------------------------------
  // 13  The version that you hand in, and the counts of its compute_accelerations().
  //     (./lab count part1 mine; those marked "about" are not asked.)
  std::string mine = "mine";
  double mine_flops = unanswered;
  double mine_loads = unanswered;
  double mine_stores = unanswered;
  // 14  is in NOTEBOOK.md: four ideas or more, with predictions.
  // 15  Two versions ("mine_fused"), without and with the third law; flops of the second over those
  //     of the first.
  std::string before_third_law = "";
  std::string third_law = "";
  double third_law_flops_ratio = unanswered;
  // 16  Why is it not 2 x? a) the result must be rounded twice, b) a pair also loads, adds to and
  //     stores the sums of its other body, which are no longer in registers, c) the CPU lowers its
  //     clock, d) j now runs over a shorter range than the cache has lines.
  char third_law_why = no_choice;

  // --- Tasks 10 and 11: threads ------------------------------------------------------------------
  // 17  Third law, two threads, the first n/2 bodies i for the first: percent of all pairs that it
  //     has; the best possible speed-up.
  double first_block_percent = unanswered;
  double best_speed_up_of_blocks = unanswered;
  // 18  Number of threads; speed-up over one thread of this version; serial fraction.
  double threads = unanswered;
  double speed_up_with_threads = unanswered;
  double serial_fraction = unanswered;
  // 19  Third law, plain parallel for: largest error (./lab check -v, column error, groups "forces"
  //     and "threads"). Which pass: plain, atomics, per-thread sums with two blocks of i, with
  //     cyclic i? a) all, b) all but the plain one, c) only those with per-thread sums, d) only the
  //     last.
  double error_of_race = unanswered;
  char which_pass = no_choice;
  // 20  One instruction fewer, cycles per interaction: measured before (./lab bound); predicted
  //     (before x simulated cycles without / with it); measured after. The speed-up. If the port of
  //     the instruction is not full, the cycles: a) fall just as much, b) fall by its share of all
  //     instructions, c) fall only if the loop waits for results, d) rise.
  double cycles_before = unanswered;
  double cycles_predicted = unanswered;
  double cycles_after = unanswered;
  double measured_gain = unanswered;
  char other_port = no_choice;

  // --- Task 12: a stream ------------------------------------------------------------------------

  // 21  Drift of 4 million bodies in naive's layout: the 10^9 bodies/s that main memory allows
  //     (DRAM copy of ./lab machine --all, one thread, over the bytes read and written per body).
  double drift_from_memory = unanswered;

  // Flops of one iteration by question 3, for the Gflop/s of ./lab run -v.
  double flops_of_naive() const {
    return naive_add + naive_mul + naive_div + naive_sqrt + naive_pow;
  }
};

}  // namespace nbody
