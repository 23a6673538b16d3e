#pragma once

#include "worksheet/answers.hpp"

namespace nbody {

// The worksheet of part 3. Write your answers in place of `unanswered`, `no_choice` and "". Where
// an answer depends on the number of bodies, write an expression of n, such as 3 * n * (n - 1).
// Mind C++: 7 / 2 is 3 and 4 / 3 is 1; write 7.0 / 2, or 7 * n * n / 2.
//
//   ./lab worksheet part3                 how far are you?
//   ./lab worksheet part3 --which         shows which class of a count is wrong
//   ./lab worksheet part3 --by-how-much   and by how much
//
// Counts are compared with what the code really does, or with a formula. An answer that follows
// from earlier ones is judged by those, so one slip costs you only once. A recorded answer only has
// to be there. It works without a GPU: then the counts of naive come from another machine, and your
// own versions (18) are not counted.
struct Worksheet {
  double n;  // number of bodies

  // 0   Your names, "Ada Lovelace, Charles Babbage". They make your hypothetical GPU, which
  //     ./lab worksheet part3 shows.
  std::string authors = "";

  // --- Task 1: your device -----------------------------------------------------------------------
  // 1   Peak of the hypothetical GPU in Tflop/s: every float unit starts one fused multiply-add per cycle.
  double peak = unanswered;
  // 2   1000 bodies, one thread each, in blocks of 128: how many blocks, and how many threads of
  //     the last one have no body? What is the smallest number of bodies that gives every
  //     multiprocessor of the hypothetical GPU a block? A multiprocessor has room for 2048 threads and
  //     65536 registers, and each thread needs 80 registers: how many blocks of 256 does it hold at
  //     once, and which share of the 2048 threads is that, in percent (occupancy)?
  double blocks_of_128 = unanswered;
  double idle_threads = unanswered;
  double smallest_n_of_64 = unanswered;    // blocks of 64 threads
  double smallest_n_of_1024 = unanswered;  // blocks of 1024
  double resident_blocks = unanswered;
  double occupancy_percent = unanswered;

  // --- Task 2: run it, and make it fail ----------------------------------------------------------
  // 3   A kernel reads an address that does not belong to the program. What tells you? a) the
  //     launch itself, b) the compiler, c) the next call that waits for it, d) only wrong bodies.
  //     And a clock that is stopped right after a launch shows: a) how long the kernel took, b) how
  //     long it took to start it, c) kernel and copies, d) nothing: it cannot be stopped there.
  //     Write 'a', 'b', 'c' or 'd'.
  char error_told_by = no_choice;
  char clock_shows = no_choice;

  // --- Task 3: where does the time go? -----------------------------------------------------------
  // 4   Bytes that one iteration of naive copies, in float, and the number of copies.
  double fixed_step_to_gpu = unanswered;  // compute_accelerations() and update_bodies()
  double fixed_step_from_gpu = unanswered;
  double adaptive_step_to_gpu = unanswered;  // largest_time_step(), too
  double adaptive_step_from_gpu = unanswered;
  double copies = unanswered;  // with the fixed step
  // 5   On the hypothetical GPU, with the fixed step and the times that the worksheet shows: the share of
  //     the copies in an iteration, in percent; and how many times as fast it would be without
  //     copies (such as 1.05).
  double few_copies_percent = unanswered;  // 1000 bodies
  double few_gain = unanswered;
  double many_copies_percent = unanswered;  // 100 000 bodies
  double many_gain = unanswered;

  // --- Task 5: fewer instructions ----------------------------------------------------------------
  // 6   Flops of one call of naive's compute_accelerations(), all threads together, by class, as
  //     written.
  double naive_add = unanswered;  // and subtract; += is one of them
  double naive_mul = unanswered;
  double naive_div = unanswered;
  double naive_sqrt = unanswered;
  // 7   You remove half of the instructions of a loop, and the time falls by a tenth. Why? a) the
  //     clock of the GPU fell, b) the threads waited for something else, c) the compiler put them
  //     back, d) the remaining instructions take twice as long.
  char instructions_gone = no_choice;

  // --- Task 6: fewer loads -----------------------------------------------------------------------
  // 8   Numbers that all threads together load and store, as written, separately for global and
  //     shared memory: each bodies[i].qx in the source is a load. Local variables are registers.
  double naive_global_loads = unanswered;  // compute_accelerations()
  double naive_global_stores = unanswered;
  double naive_shared_loads = unanswered;
  double naive_shared_stores = unanswered;
  //     largest_time_step() with its two kernels; the kernel of smallest.cuh is one block of 256
  //     threads as long as n is at most 4096, and n is larger than 256.
  double time_step_global_loads = unanswered;
  double time_step_global_stores = unanswered;
  double time_step_shared_loads = unanswered;
  double time_step_shared_stores = unanswered;
  // 9   Why does a structure of arrays not help this loop? a) all threads of a warp read the same
  //     body j, so there are no neighbouring addresses to bring together, b) the cache is too small
  //     for four arrays, c) four arrays are more bytes than one, d) the GPU cannot load one float.
  char why_no_coalescing = no_choice;

  // --- Task 7: tiles -----------------------------------------------------------------------------
  // 10  Blocks of 256 threads, tiles of 256 bodies, four numbers per body, n a multiple of 256. For
  //     one call, all threads together: numbers loaded from global memory for the tiles, numbers
  //     stored to shared memory, numbers loaded from there; and how often each body is loaded for a
  //     tile.
  double tile_global_loads = unanswered;
  double tile_shared_stores = unanswered;
  double tile_shared_loads = unanswered;
  double times_loaded = unanswered;
  // 11  What does each barrier prevent? a) a warp overwrites a tile that another one still reads,
  //     b) two blocks write the same tile, c) a block ends before the others, d) a warp reads
  //     places that another one has not written yet.
  char first_barrier = no_choice;   // between loading a tile and using it
  char second_barrier = no_choice;  // after using it
  //     `if (i >= n) return;` before the loop over tiles, as in naive: a) is right: these threads
  //     have no body, b) makes all blocks wait for the last one, c) leaves places of every tile of
  //     the last block unfilled, d) is wrong only in the last tile, which is not full.
  char early_return = no_choice;

  // --- Task 8: more for each thread --------------------------------------------------------------
  // 12  4096 bodies, eight per thread, blocks of 256: how many blocks, and which share of the
  //     multiprocessors of the hypothetical GPU has work, in percent? From which number of bodies on is
  //     your version with several bodies per thread faster here?
  double blocks_of_several = unanswered;
  double busy_percent = unanswered;
  double several_pay_from = unanswered;

  // --- Task 9: few bodies ------------------------------------------------------------------------
  // 13  4096 bodies in blocks of 128 threads: how many threads must share a body so that each
  //     multiprocessor of the hypothetical GPU has at least two blocks? How many steps per second can it
  //     make at most, if each step starts two kernels and waits for each? And the time of an empty
  //     kernel here, in microseconds.
  double threads_a_body = unanswered;
  double steps_by_launches = unanswered;
  double empty_kernel_here = unanswered;

  // --- Task 10: Newton's third law ---------------------------------------------------------------
  // 14  In two kernels, counted in their machine code, an interaction takes 13.3 instructions of a
  //     thread, and a pair by the third law 17.8: how many times as fast is the third law at most?
  //     How many 10^9 interactions/s is that at most on the hypothetical GPU, where each float unit starts
  //     one instruction per cycle? And atomic additions: a) lose some of the additions, b) add up
  //     in an order that changes from run to run, c) do not exist for float, d) wait for the
  //     processor.
  double third_law_gain = unanswered;
  double third_law_bound = unanswered;
  char why_no_atomics = no_choice;

  // --- Task 11: roofline, and explain ------------------------------------------------------------
  // 15  flop/byte of naive's compute_accelerations() with 1000 bodies in float: your flops over the
  //     bytes that memory must move at least (mass and position in, acceleration out, each once),
  //     and over the global loads and stores as written. The ridge point of the hypothetical GPU with its
  //     memory. And for tiles, at 20 flops per interaction: flop/byte by the bytes that the threads
  //     load from shared memory, and by the bytes that it really delivers, once per warp.
  double intensity = unanswered;
  double intensity_as_written = unanswered;
  double ridge = unanswered;
  double tile_intensity = unanswered;
  double tile_intensity_delivered = unanswered;
  // 16  What limits naive? a) the bandwidth of the GPU's memory, b) waiting for loads that a cache
  //     answers, c) too few blocks: most of the GPU has nothing to do, d) the peak. If two fit,
  //     take the one that would remain if you repaired the other.
  char limit_of_few = no_choice;   // 1000 bodies
  char limit_of_many = no_choice;  // 100 000 bodies
  // 17  If every cycle starts an instruction: the share of the peak, in percent, at 20 flops per
  //     interaction, with the 13.3 and the 17.8 instructions of question 14. How can it be above
  //     100? a) 20 flops are counted for both bodies, and a pair needs fewer instructions than
  //     that, b) the clock is higher than the one of the peak, c) the cache computes, too, d) it
  //     cannot: the measurement is wrong.
  double most_percent = unanswered;
  double most_percent_of_third_law = unanswered;
  char why_above_the_peak = no_choice;
  // 18  The version that you hand in: flops, loads and stores in one call of
  //     compute_accelerations(). Counts marked "about" are not asked.
  std::string mine = "mine";
  double mine_flops = unanswered;
  double mine_global_loads = unanswered;
  double mine_global_stores = unanswered;
  double mine_shared_loads = unanswered;
  double mine_shared_stores = unanswered;
  // 19  Measured: 10^9 interactions/s with 1000 and 100 000 bodies; the peak of your GPU for float,
  //     in Tflop/s, as ./lab machine --all finds it, not by its clock (if build/ceilings.json
  //     has it, it is compared with that); and the share of this peak with 100 000 bodies, at 20
  //     flops per interaction, in percent.
  double few_here = unanswered;
  double many_here = unanswered;
  double peak_here = unanswered;
  double reached_percent = unanswered;
  // 20  is in NOTEBOOK.md: at least six ideas, each with a prediction (./lab try).
  // 21  The block size with which your tiles are fastest: predicted, measured (./lab bench part3
  //     mine --block 32,64,128,256,512,1024); its gain over the second best, in percent, and the
  //     larger spread of the two. Is it a difference? a) yes, the gain is larger than the spread,
  //     b) no.
  double block_predicted = unanswered;
  double block_measured = unanswered;
  double block_gain_percent = unanswered;
  double block_spread = unanswered;
  char blocks_differ = no_choice;
  // 22  Remove a slot. From ./lab bound part3 mine: instructions of a thread per interaction,
  //     before and after you removed one of them. How many times as fast can the loop become at
  //     most? And if you remove an integer instruction (of an address, a counter), the time by the
  //     bound: a) stays: integers have their own units, b) stays: other warps hide it, c) falls
  //     only in a loop that is not unrolled, d) falls as with any other: a scheduler starts one
  //     instruction per cycle.
  double instructions_before = unanswered;
  double instructions_after = unanswered;
  double slot_gain = unanswered;
  char integer_instruction = no_choice;

  // Flops of one iteration by question 6, for the Gflop/s of `./lab run part3 naive -v` and of your
  // versions.
  double flops_of_naive() const { return naive_add + naive_mul + naive_div + naive_sqrt; }
};

}  // namespace nbody
