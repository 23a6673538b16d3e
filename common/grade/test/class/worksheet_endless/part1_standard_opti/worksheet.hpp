// A worksheet whose static object never lets main() begin.
#pragma once

#include "worksheet/answers.hpp"

namespace nbody {

struct Hangs {
  Hangs() {
    for (volatile bool turns = true; turns;) {
    }
  }
};
inline const Hangs hangs;

// The worksheet of part 1. Write your answers in place of `unanswered`, `no_choice` and "". Where
// an answer depends on the number of bodies, write an expression of n, such as 3 * n * (n - 1).
// Mind C++: 7 / 2 is 3 and 4 / 3 is 1; write 7.0 / 2, or 7 * n * n / 2.
//
//   ./lab worksheet part1                 how far are you?
//   ./lab worksheet part1 --which         tells which class of a wrong count is wrong
//   ./lab worksheet part1 --by-how-much   and by how much
//
// Exact answers are compared with what your code really does; what follows from earlier answers is
// judged by those, so that one slip costs once; recorded ones only have to be there.
struct Worksheet {
  double n;  // number of bodies

  // 0   Your names, "Ada Lovelace, Charles Babbage". They make your paper machine (question 7).
  std::string authors = "Grace Hopper";

  // --- Task 2: profile ---------------------------------------------------------------------------
  // 1   What ./lab profile part1 says of the naive simulator: percent of the time that is spent in
  //     compute_accelerations() and in largest_time_step(). Recorded.
  double forces_percent = unanswered;
  double neighbours_percent = unanswered;
  // 2   How many times as fast would it be if compute_accelerations() cost nothing?
  double speed_up_without_forces = unanswered;

  // --- Task 3: flops -----------------------------------------------------------------------------
  // 3   Of one call of compute_accelerations() in naive.hpp, by class, as written, with n bodies.
  //     Comparisons, the i != j among them, are free. Not more than n * n of these interactions
  //     happen: how many exactly?
  double naive_add = unanswered;  // and subtract; += is one of them
  double naive_mul = unanswered;
  double naive_div = unanswered;
  double naive_sqrt = unanswered;
  double naive_pow = unanswered;

  // --- Task 4: memory accesses ------------------------------------------------------------------
  // 4   Of the same call, as written: every number of bodies[] that is read is a load, every one
  //     that is written is a store. x += y is both. Local variables, G and softening are in
  //     registers. For example y[i] = y[i] + a * x[i] is two loads and one store.
  double naive_loads = unanswered;
  double naive_stores = unanswered;
  // 5   The same if mass and position of body i and its three sums are kept in registers while j
  //     runs: mass and position are loaded before it, the sums start at 0 and are stored after it.
  //     The n interactions of body i with itself may be counted or not: within 1 % is right.
  double naive_loads_in_registers = unanswered;
  double naive_stores_in_registers = unanswered;

  // --- Task 5: roofline by hand -----------------------------------------------------------------
  // 6   Intensity in flop/byte with 4 bytes a number: flops of 3 over bytes of 4, and of 5, with
  //     n = 1000.
  double intensity = unanswered;
  double intensity_in_registers = unanswered;
  // 7   Gflop/s that your paper machine can attain with each (./lab worksheet part1 shows it). The
  //     naive code has additions and multiplications and no fma.
  double attainable_on_paper = unanswered;
  double attainable_on_paper_in_registers = unanswered;

  // --- Task 6: bound by what? --------------------------------------------------------------------
  // 8   There: a bound by computing both times, b by memory both times, c by memory as written and
  //     by computing in registers, d the other way round. Write 'a', 'b', 'c' or 'd'.
  char bound_on_paper = no_choice;
  // 9   Peak (without SIMD and fma) and bandwidth (L1) of this machine by ./lab machine, and what
  //     is attainable with the first intensity of question 6. 5 percent are allowed for. Where this
  //     machine was measured (build/ceilings.json), the first two are compared with that.
  double peak_here = unanswered;       // Gflop/s
  double bandwidth_here = unanswered;  // GB/s
  double attainable_here = unanswered;
  // 10  Gflop/s of the naive simulator with n = 1000 (./lab run part1 naive -n 1000 -i 20, once
  //     question 3 is answered), its percentage of question 9, and what really limits it:
  //     a the peak of additions and multiplications, b loads and stores, c the main memory's
  //     bandwidth, d the one unit that divides and takes roots.
  double naive_gflops_here = unanswered;
  double reached_percent = unanswered;
  char limited_by = no_choice;

  // --- Task 7: sizes -----------------------------------------------------------------------------
  // 11  From 1000 to 20000 bodies the naive's interactions/s: a rise steadily, b fall once the
  //     bodies leave the L1 cache, c stay within some percent, d fall like 1/n. And what explains
  //     it? a naive waits for the main memory, b a cache still holds all bodies, and computing
  //     takes longer than loading, c the processor raises its clock, d the compiler keeps all
  //     bodies in registers.
  char with_more_bodies = no_choice;
  char with_more_bodies_why = no_choice;
  // 12  Time of an iteration with 20000 bodies over that with 1000.
  double time_ratio = unanswered;

  // --- Task 8: fewer operations ------------------------------------------------------------------
  // 13  The version that you hand in, and its work: one call of its compute_accelerations().
  //     ./lab count part1 mine shows what it does; what depends on where the bodies are ("about")
  //     is not asked.
  std::string mine = "mine";
  double mine_flops = unanswered;
  double mine_loads = unanswered;
  double mine_stores = unanswered;
  // 14  is in NOTEBOOK.md: four ideas at least, each with a prediction (./lab try).
  // 15  Two of your versions, by name ("mine_fused"), without and with Newton's third law; and
  //     the flops of the second over those of the first.
  std::string before_third_law = "";
  std::string third_law = "";
  double third_law_flops_ratio = unanswered;
  // 16  Why is it not twice as fast? a the result has to be rounded twice, b a pair also loads,
  //     adds to and stores the sums of its other body, which are no longer in registers, c the
  //     processor lowers its clock, d j now runs over a shorter range than the cache has lines.
  char third_law_why = no_choice;

  // --- Tasks 10 and 11: threads ------------------------------------------------------------------
  // 17  Third law, rows i in two blocks of n/2 for two threads: percent of all pairs that the first
  //     thread has, and the best speed-up that can come of it.
  double first_block_percent = unanswered;
  double best_speed_up_of_blocks = unanswered;
  // 18  Threads that you measured with, speed-up over one thread of the same version, and the
  //     serial fraction that follows (Karp and Flatt, docs/cheat_sheet.md).
  double threads = unanswered;
  double speed_up_with_threads = unanswered;
  double serial_fraction = unanswered;
  // 19  Third law with a plain parallel for: the largest error of accelerations that the check
  //     showed (its rows "forces" and "threads"). And which of these pass the check: plain, with
  //     atomics, with own sums a thread in blocks, the same in turn? a all, b all but the plain
  //     one, c only those with own sums, d only the last.
  double error_of_race = unanswered;
  char which_pass = no_choice;
  // 20  Remove a slot. What ./lab bound part1 mine says of your loop: cycles of an interaction,
  //     before and after you took one instruction away from the port that is full. How many times
  //     as fast can the loop get at most? And if the instruction goes from another port instead,
  //     the bound a falls just as much, b falls by its share of all instructions, c stays, d rises.
  double cycles_before = unanswered;
  double cycles_after = unanswered;
  double slot_gain = unanswered;
  char other_port = no_choice;

  // Task 3: flops of one iteration, for the Gflop/s of `./lab run part1 naive -v` and of your
  // versions.
  double flops_of_naive() const {
    return naive_add + naive_mul + naive_div + naive_sqrt + naive_pow;
  }
};

}  // namespace nbody
