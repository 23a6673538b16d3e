#pragma once

#include "worksheet/answers.hpp"

namespace nbody {

// The worksheet of part 2. Write your answers in place of `unanswered`, `no_choice` and "";
// a count is an expression of n, and 7 / 2 is 3 in C++: write 7.0 / 2. How it is judged:
// docs/using_the_lab.md#the-worksheet
struct Worksheet {
  double n;  // number of bodies

  // 0   Your names, "Ada Lovelace, Charles Babbage". They make your hypothetical machine.
  std::string authors = "";

  // --- Task 1: layout ----------------------------------------------------------------------------
  // 1   Why is an array of structures hard to vectorise? a) velocities go through the cache, too,
  //     b) its address cannot be aligned, c) neighbouring x are a whole structure apart and must
  //     be loaded one by one, d) main memory must deliver more. Write 'a', 'b', 'c' or 'd'.
  char why_structure_of_arrays = no_choice;

  // --- Task 2: ask the compiler ------------------------------------------------------------------
  // 2   What does each of these permit? a) not to set errno, b) to compute values that are then
  //     not used, which could stop the program, c) nothing: it says the same without a jump, d) to
  //     add up in another order than the source.
  char reduction_permits = no_choice;         // #pragma omp simd reduction(+ : ...)
  char no_math_errno_permits = no_choice;     // -fno-math-errno
  char no_trapping_math_permits = no_choice;  // -fno-trapping-math
  char selection_permits = no_choice;         // r2 > 0 ? ... : 0 for the if

  // --- Task 3: count and bound -------------------------------------------------------------------
  // 3   Flops of one call of naive's compute_accelerations(), as written.
  double naive_add = unanswered;  // and subtract; += is one of them
  double naive_mul = unanswered;
  double naive_div = unanswered;
  double naive_sqrt = unanswered;
  // 4   Lanes of AVX2 in double, of AVX-512 in float. With 1019 bodies of float on your
  //     hypothetical machine: full batches, bodies left over, extra bodies that fill the last
  //     batch.
  double avx2_doubles = unanswered;
  double avx512_floats = unanswered;
  double full_batches = unanswered;
  double left_over = unanswered;
  double fillers = unanswered;
  // 5   Your hypothetical machine does root and division of a batch one after the other and hides
  //     all other work behind them. Its bound, in interactions per cycle?
  double bound_of_root_and_division = unanswered;

  // --- Task 4: explicit SIMD ---------------------------------------------------------------------
  // 6   Why does reduce_add belong after the loop? a) lanes lose digits when they are added up, b)
  //     adding up one register takes several instructions, as many as the rest of the vector
  //     iteration, and each waits for the one before, c) it needs a detour through memory, d) it
  //     lowers the clock.
  char why_not_add_up_in_the_loop = no_choice;

  // --- Task 5: precision -------------------------------------------------------------------------
  // 7   rsqrt without a Newton step: a) passes in float, fails in double, b) passes from some
  //     thousand bodies on, because errors cancel, c) passes with softening, d) fails: 12 to 14
  //     bits are not enough for the limit of 1e-5. How many steps lead from 12 and from 14 bits to
  //     24 (float), and from 14 to 53 (double)?
  char raw_estimate = no_choice;
  double steps_from_12_to_float = unanswered;
  double steps_from_14_to_float = unanswered;
  double steps_from_14_to_double = unanswered;
  // 8   Task 5's vector iteration: arithmetic instructions without loads and without rsqrt. With
  //     the issue slots of rsqrt added, the bound of your hypothetical machine, in interactions
  //     per cycle.
  double instructions = unanswered;
  double bound = unanswered;

  // --- Task 6: register blocking -----------------------------------------------------------------
  // 9   Your best version: bodies i in one pass; its speed-up over one body i, predicted and
  //     measured; the larger spread of the two, in percent (./lab bench). Is it a difference? a)
  //     yes, the gain is larger than the spread, b) no.
  double bodies_i = unanswered;
  double bodies_i_predicted = unanswered;
  double bodies_i_measured = unanswered;
  double bodies_i_spread = unanswered;
  char bodies_i_differ = no_choice;

  // --- Task 7: third law -------------------------------------------------------------------------
  // 10  Question 8 with the third law, where the vector iteration serves both bodies. Why is it
  //     not twice as fast? a) products and sums are needed for both bodies, only the work before
  //     them is saved, b) the approximation is less exact for the other body, c) half of the
  //     batches are no longer aligned, d) the cache is too small for the sums.
  double third_law_instructions = unanswered;
  double third_law_bound = unanswered;
  char third_law_why = no_choice;

  // --- Task 8: threads ---------------------------------------------------------------------------
  // 11  Speed-up of all threads over one, with 256 and 10000 bodies; and the fewest bodies for
  //     which two threads are faster than one.
  double speed_up_at_256 = unanswered;
  double speed_up_at_10000 = unanswered;
  double threads_pay_from = unanswered;

  // --- Task 9: double ----------------------------------------------------------------------------
  // 12  Time in double over time in float: predicted, measured. Why more than 2? a) twice as many
  //     bytes from main memory, b) double has no fma, c) half as many lanes, and more instructions
  //     to make 53 bits from an approximation, d) the loop is no longer vectorised.
  double double_predicted = unanswered;
  double double_measured = unanswered;
  char double_why = no_choice;

  // --- Task 10: explain --------------------------------------------------------------------------
  // 13  The version that you hand in: flops (an fma is two) and fma of one call, unless `./lab
  //     count part2 mine` marks them "about". With 5000 bodies on one thread: 10^9 interactions/s;
  //     clock in GHz; bound of `./lab bound part2 mine`, in interactions per cycle; share of it,
  //     in percent (above 100 only with another processor's cycles).
  std::string mine = "mine";
  double mine_flops = unanswered;
  double mine_fma = unanswered;
  double interactions_here = unanswered;
  double clock_here = unanswered;
  double bound_here = unanswered;
  double reached_percent = unanswered;
  // 14  is in NOTEBOOK.md: at least six ideas, each with a prediction (./lab try).
  // 15  Peak of one core for float, in Gflop/s of fma with the widest instruction set (./lab
  //     machine). Your percentage of it, by question 13, at 20 flops per interaction.
  double peak_here = unanswered;
  double peak_percent = unanswered;
  // 16  One instruction fewer, by ./lab bound part2 mine. Cycles per interaction: measured before;
  //     predicted (before, times the simulated cycles without the instruction over those with it);
  //     measured after. Speed-up? And why does unrolling, which saves a comparison and a jump,
  //     gain next to nothing? a) the processor guesses jumps, so they cost nothing, b) they use a
  //     port that is not full, and no other instruction waits for them, c) the compiler puts them
  //     back, d) only floats use ports.
  double cycles_before = unanswered;
  double cycles_predicted = unanswered;
  double cycles_after = unanswered;
  double measured_gain = unanswered;
  char jump_for_free = no_choice;
  // 17  Add 1 to a float sum, again and again: how many additions change it? How many in all, with
  //     one sum in each lane of your hypothetical machine? Which term loses most digits in a long
  //     float sum? a) the nearest body's, b) the heaviest body's, c) small ones that come after a
  //     large one, d) none: each is right to 24 binary digits.
  double terms_of_one_sum = unanswered;
  double terms_of_all_lanes = unanswered;
  char lost_in_a_sum = no_choice;

  // By question 3, for the Gflop/s of ./lab run -v.
  double flops_of_naive() const { return naive_add + naive_mul + naive_div + naive_sqrt; }
};

}  // namespace nbody
