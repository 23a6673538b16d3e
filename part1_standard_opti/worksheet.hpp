#pragma once

#include "worksheet/answers.hpp"

namespace nbody {

// The worksheet of part 1. Write your answers in place of `unanswered`, `no_choice` and "". Where
// an answer depends on the number of bodies, write an expression of n, such as 3 * n * (n - 1).
// Mind C++: 7 / 2 is 3 and 4 / 3 is 1; write 7.0 / 2, or 7 * n * n / 2.
//
//   ./lab worksheet part1                 how far are you?
//   ./lab worksheet part1 --which         shows which class of a count is wrong
//   ./lab worksheet part1 --by-how-much   and by how much
//
// Counts are compared with what the code really does. An answer that follows from earlier ones is
// judged by those, so one slip costs you only once. A recorded answer only has to be there.
struct Worksheet {
  double n;  // number of bodies

  // 0   Your names, "Ada Lovelace, Charles Babbage". They make your hypothetical machine (question 7).
  std::string authors = "";

  // --- Task 2: profile ---------------------------------------------------------------------------
  // 1   From ./lab profile part1 of the naive simulator: percent of the time in
  //     compute_accelerations() and in largest_time_step(). Recorded.
  double forces_percent = unanswered;
  double neighbours_percent = unanswered;
  // 2   How many times as fast would the program be if compute_accelerations() cost nothing?
  double speed_up_without_forces = unanswered;

  // --- Task 3: flops -----------------------------------------------------------------------------
  // 3   Operations in one call of compute_accelerations() of naive.hpp with n bodies, by class, as
  //     written. Comparisons are free, also i != j. The inner body runs at most n * n times: how
  //     often exactly?
  double naive_add = unanswered;  // and subtract; += is one of them
  double naive_mul = unanswered;
  double naive_div = unanswered;
  double naive_sqrt = unanswered;
  double naive_pow = unanswered;

  // --- Task 4: memory accesses ------------------------------------------------------------------
  // 4   Memory accesses of the same call, as written: every number of bodies[] that is read is a
  //     load, every number that is written is a store; x += y is both. Local variables, G and
  //     softening are in registers. Example: y[i] = y[i] + a * x[i] is two loads and one store.
  double naive_loads = unanswered;
  double naive_stores = unanswered;
  // 5   The same if mass, position and the three sums of body i are in registers while j runs: mass
  //     and position are loaded before the loop over j, the sums start at 0 and are stored after
  //     it. You may count the n cases i = j or not: within 1 % is right.
  double naive_loads_in_registers = unanswered;
  double naive_stores_in_registers = unanswered;

  // --- Task 5: roofline by hand -----------------------------------------------------------------
  // 6   Intensity in flop/byte with 4 bytes per number and n = 1000: the flops of question 3 over
  //     the bytes of question 4, and over the bytes of question 5.
  double intensity = unanswered;
  double intensity_in_registers = unanswered;
  // 7   Gflop/s that your hypothetical machine can attain with each (./lab worksheet part1 shows it). The
  //     naive code has additions and multiplications and no fma.
  double attainable_on_paper = unanswered;
  double attainable_on_paper_in_registers = unanswered;

  // --- Task 6: bound by what? --------------------------------------------------------------------
  // 8   On the hypothetical machine, what is the limit as written, and in registers? a) computing and
  //     computing, b) memory and memory, c) memory and computing, d) computing and memory. Write
  //     'a', 'b', 'c' or 'd'.
  char bound_on_paper = no_choice;
  // 9   From ./lab machine: peak (without SIMD and fma) and bandwidth (L1) of this machine; then
  //     what is attainable with the first intensity of question 6. Errors up to 5 percent are
  //     right. If build/ceilings.json exists, the first two are compared with it.
  double peak_here = unanswered;       // Gflop/s
  double bandwidth_here = unanswered;  // GB/s
  double attainable_here = unanswered;
  // 10  Gflop/s of the naive simulator with n = 1000 (./lab run part1 naive -n 1000 -i 20, after
  //     question 3 is answered); its percentage of question 9; and what really limits it: a) the
  //     peak of additions and multiplications, b) loads and stores, c) the bandwidth of main
  //     memory, d) the one unit that divides and takes roots.
  double naive_gflops_here = unanswered;
  double reached_percent = unanswered;
  char limited_by = no_choice;

  // --- Task 7: sizes -----------------------------------------------------------------------------
  // 11  From 1000 to 20000 bodies, the interactions/s of naive: a) rise steadily, b) fall once the
  //     bodies no longer fit into L1, c) stay within some percent, d) fall like 1/n. And what
  //     explains it? a) naive waits for main memory, b) a cache still holds all bodies, and
  //     computing takes longer than loading, c) the processor raises its clock, d) the compiler
  //     keeps all bodies in registers.
  char with_more_bodies = no_choice;
  char with_more_bodies_why = no_choice;
  // 12  Time per iteration with 20000 bodies, divided by the time with 1000 bodies.
  double time_ratio = unanswered;

  // --- Task 8: fewer operations ------------------------------------------------------------------
  // 13  The version that you hand in, and the work of one call of its compute_accelerations().
  //     Count it; ./lab count part1 mine shows the truth. Counts marked "about" depend on where the
  //     bodies are, and are not asked.
  std::string mine = "mine";
  double mine_flops = unanswered;
  double mine_loads = unanswered;
  double mine_stores = unanswered;
  // 14  is in NOTEBOOK.md: at least four ideas, each with a prediction (./lab try).
  // 15  Two of your versions, by name ("mine_fused"), without and with Newton's third law; and
  //     the flops of the second over those of the first.
  std::string before_third_law = "";
  std::string third_law = "";
  double third_law_flops_ratio = unanswered;
  // 16  Why is it not twice as fast? a) the result must be rounded twice, b) a pair also loads,
  //     adds to and stores the sums of its other body, which are no longer in registers, c) the
  //     processor lowers its clock, d) j now runs over a shorter range than the cache has lines.
  char third_law_why = no_choice;

  // --- Tasks 10 and 11: threads ------------------------------------------------------------------
  // 17  Third law with two threads and rows i in two blocks of n/2: percent of all pairs that the
  //     first thread has, and the best possible speed-up.
  double first_block_percent = unanswered;
  double best_speed_up_of_blocks = unanswered;
  // 18  The number of threads that you measured with, the speed-up over one thread of the same
  //     version, and the serial fraction that follows (Karp and Flatt, docs/using_the_lab.md).
  double threads = unanswered;
  double speed_up_with_threads = unanswered;
  double serial_fraction = unanswered;
  // 19  Third law with a plain parallel for: the largest error of the accelerations (column error
  //     of ./lab check -v, groups "forces" and "threads"). And which of these pass the check:
  //     plain, with atomics, with per-thread sums in blocks, with per-thread sums and cyclic rows?
  //     a) all, b) all but the plain one, c) only those with per-thread sums, d) only the last.
  double error_of_race = unanswered;
  char which_pass = no_choice;
  // 20  One instruction fewer. From ./lab bound part1 mine, the cycles measured, per interaction;
  //     these, times the simulated cycles without your instruction over those with it; and what is
  //     measured after its removal. How many times as fast is the loop? And if you remove an
  //     instruction whose port is not full, the cycles: a) fall just as much, b) fall by its share
  //     of all instructions, c) fall only if the loop waits for results, d) rise.
  double cycles_before = unanswered;
  double cycles_predicted = unanswered;
  double cycles_after = unanswered;
  double measured_gain = unanswered;
  char other_port = no_choice;

  // Flops of one iteration by question 3, for the Gflop/s of `./lab run part1 naive -v` and of your
  // versions.
  double flops_of_naive() const {
    return naive_add + naive_mul + naive_div + naive_sqrt + naive_pow;
  }
};

}  // namespace nbody
