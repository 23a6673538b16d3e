#pragma once

#include "worksheet/answers.hpp"

namespace nbody {

// The worksheet of part 3: docs/using_the_lab.md#the-worksheet. It works without a GPU: then
// naive's counts come from another machine, and your own versions (18) are not counted.
struct Worksheet {
  double n;  // number of bodies

  // 0   Your names, "Ada Lovelace, Charles Babbage", make your hypothetical GPU.
  std::string authors = "";

  // --- Task 1: your device -----------------------------------------------------------------------
  // 1   Peak of the hypothetical GPU in Tflop/s: each float unit starts a fused multiply-add per
  //     cycle.
  double peak = unanswered;
  // 2   Thread blocks of 128 for 1000 bodies, and threads of the last one without a body. The
  //     smallest n that gives every SM of the hypothetical GPU a thread block. Thread blocks of 256
  //     that an SM holds with 2048 threads and 65536 registers, 80 for each thread; occupancy in
  //     percent.
  double blocks_of_128 = unanswered;
  double idle_threads = unanswered;
  double smallest_n_of_64 = unanswered;    // thread blocks of 64
  double smallest_n_of_1024 = unanswered;  // of 1024
  double resident_blocks = unanswered;
  double occupancy_percent = unanswered;

  // --- Task 2: run it, and make it fail ----------------------------------------------------------
  // 3   A kernel reads an address outside the program's memory. What tells you? a) the launch
  //     itself, b) the compiler, c) the next call that waits for it, d) only wrong bodies. And a
  //     clock that is stopped right after a launch shows: a) how long the kernel took, b) how long
  //     it took to start it, c) kernel and copies, d) nothing: it cannot be stopped there. Write
  //     'a', 'b', 'c' or 'd'.
  char error_told_by = no_choice;
  char clock_shows = no_choice;

  // --- Task 3: where does the time go? -----------------------------------------------------------
  // 4   Bytes copied in one iteration of naive in float, and number of copies.
  double fixed_step_to_gpu = unanswered;  // compute_accelerations() and update_bodies()
  double fixed_step_from_gpu = unanswered;
  double adaptive_step_to_gpu = unanswered;  // largest_time_step(), too
  double adaptive_step_from_gpu = unanswered;
  double copies = unanswered;  // with the fixed step
  // 5   Hypothetical GPU, fixed step: share of the copies in percent, speed-up without copies (such
  //     as 1.05).
  double few_copies_percent = unanswered;  // 1000 bodies
  double few_gain = unanswered;
  double many_copies_percent = unanswered;  // 100 000 bodies
  double many_gain = unanswered;

  // --- Task 5: fewer instructions ----------------------------------------------------------------
  // 6   Flops of naive's compute_accelerations(), all threads, as written.
  double naive_add = unanswered;  // and subtract; += is one
  double naive_mul = unanswered;
  double naive_div = unanswered;
  double naive_sqrt = unanswered;
  // 7   Half of a loop's instructions are gone, and the time falls by a tenth. Why? a) the clock of
  //     the GPU fell, b) the threads waited for something else, c) the compiler put them back, d)
  //     the remaining instructions take twice as long.
  char instructions_gone = no_choice;

  // --- Task 6: fewer loads -----------------------------------------------------------------------
  // 8   Scalars loaded and stored by all threads, as written: each bodies[i].qx is a load, local
  //     variables are registers.
  double naive_global_loads = unanswered;  // compute_accelerations()
  double naive_global_stores = unanswered;
  double naive_shared_loads = unanswered;
  double naive_shared_stores = unanswered;
  //     largest_time_step() with its two kernels; that of smallest.cuh is one thread block of 256
  //     (256 < n <= 4096).
  double time_step_global_loads = unanswered;
  double time_step_global_stores = unanswered;
  double time_step_shared_loads = unanswered;
  double time_step_shared_stores = unanswered;
  // 9   Why does a structure of arrays not help this loop? a) all threads of a warp read the same
  //     body j, so there are no neighbouring addresses to bring together, b) the cache is too small
  //     for four arrays, c) four arrays are more bytes than one, d) the GPU cannot load one float.
  char why_no_coalescing = no_choice;

  // --- Task 7: tiles -----------------------------------------------------------------------------
  // 10  Thread blocks of 256, tiles of 256 bodies, four scalars per body, n a multiple of 256:
  //     scalars that all threads load and store in one call for the tiles, and how often each body
  //     is loaded for one.
  double tile_global_loads = unanswered;
  double tile_shared_stores = unanswered;
  double tile_shared_loads = unanswered;
  double times_loaded = unanswered;
  // 11  What does each barrier prevent? a) a warp overwrites a tile that another one still reads,
  //     b) two thread blocks write the same tile, c) a thread block ends before the others, d) a
  //     warp reads elements that another one has not written yet.
  char first_barrier = no_choice;   // between loading a tile and using it
  char second_barrier = no_choice;  // after using it
  //     `if (i >= n) return;` before the loop over tiles, as in naive: a) is right: these threads
  //     have no body, b) makes all thread blocks wait for the last one, c) leaves elements of
  //     every tile of the last thread block unfilled, d) is wrong only in the last tile, which is
  //     not full.
  char early_return = no_choice;

  // --- Task 8: thread coarsening -----------------------------------------------------------------
  // 12  4096 bodies, eight per thread, thread blocks of 256: how many, and percent of the
  //     hypothetical GPU's SMs with work. The n above which several bodies per thread are faster
  //     here.
  double blocks_of_several = unanswered;
  double busy_percent = unanswered;
  double several_pay_from = unanswered;

  // --- Task 9: few bodies ------------------------------------------------------------------------
  // 13  4096 bodies, thread blocks of 128: threads per body that give each SM of the hypothetical
  //     GPU at least two thread blocks; its most steps per second, if each step launches two
  //     kernels and waits for each. Microseconds of an empty kernel here.
  double threads_a_body = unanswered;
  double steps_by_launches = unanswered;
  double empty_kernel_here = unanswered;

  // --- Task 10, optional: Newton's third law -----------------------------------------------------
  // 14  An interaction takes 13.3 instructions of a thread in one kernel, a pair by the third law
  //     17.8 in another: speed-up at most; 10^9 interactions/s at most on the hypothetical GPU,
  //     where each float unit starts one instruction per cycle. Atomic additions: a) lose some of
  //     the additions, b) add up in an order that changes from run to run, c) do not exist for
  //     float, d) wait for the processor.
  double third_law_gain = unanswered;
  double third_law_bound = unanswered;
  char why_no_atomics = no_choice;

  // --- Task 11: roofline, and explain ------------------------------------------------------------
  // 15  flop/byte of naive's compute_accelerations(), 1000 bodies, float: over the minimum DRAM
  //     traffic (mass and position in, acceleration out, each once), and over global loads and
  //     stores as written. Ridge point of the hypothetical GPU's memory. flop/byte of tiles at 20
  //     flops per interaction: by the bytes that threads load from shared memory, and that it
  //     delivers, once per warp.
  double intensity = unanswered;
  double intensity_as_written = unanswered;
  double ridge = unanswered;
  double tile_intensity = unanswered;
  double tile_intensity_delivered = unanswered;
  // 16  What limits naive? a) the bandwidth of the GPU's memory, b) waiting for loads that a cache
  //     answers, c) too few thread blocks: most of the GPU is idle, d) the peak. If two fit,
  //     take the one that would remain if you repaired the other.
  char limit_of_few = no_choice;   // 1000 bodies
  char limit_of_many = no_choice;  // 100 000 bodies
  // 17  If every cycle starts an instruction: percent of the peak at 20 flops per interaction, for
  //     13.3 and for 17.8 instructions (question 14). How can it be above 100? a) 20 flops are
  //     counted for both bodies, and a pair needs fewer instructions than that, b) the clock is
  //     higher than the one of the peak, c) the cache computes, too, d) it cannot: the measurement
  //     is wrong.
  double most_percent = unanswered;
  double most_percent_of_third_law = unanswered;
  char why_above_the_peak = no_choice;
  // 18  The version that you hand in: one call of compute_accelerations(). Counts marked "about"
  //     are not asked.
  std::string mine = "mine";
  double mine_flops = unanswered;
  double mine_global_loads = unanswered;
  double mine_global_stores = unanswered;
  double mine_shared_loads = unanswered;
  double mine_shared_stores = unanswered;
  // 19  Measured: 10^9 interactions/s with 1000 and 100 000 bodies; your GPU's peak for float in
  //     Tflop/s (./lab machine --all); percent of it with 100 000 bodies at 20 flops per
  //     interaction.
  double few_here = unanswered;
  double many_here = unanswered;
  double peak_here = unanswered;
  double reached_percent = unanswered;
  // 20  is in NOTEBOOK.md: at least six ideas, each with a prediction.
  // 21  Your best size of a thread block for tiles, predicted and measured; its gain over the
  //     second best and the larger spread of the two, in percent. Is it a difference? a) yes, the
  //     gain is larger than the spread, b) no.
  double block_predicted = unanswered;
  double block_measured = unanswered;
  double block_gain_percent = unanswered;
  double block_spread = unanswered;
  char blocks_differ = no_choice;
  // 22  ./lab bound part3 mine: instructions of a thread per interaction before and after you
  //     removed one; the speed-up that this allows (such as 1.05). If you remove an integer
  //     instruction (of an address, a counter), the time by the bound: a) stays: integers have
  //     their own units, b) stays: other warps hide it, c) falls only in a loop that is not
  //     unrolled, d) falls as with any other: a scheduler starts one instruction per cycle.
  double instructions_before = unanswered;
  double instructions_after = unanswered;
  double slot_gain = unanswered;
  char integer_instruction = no_choice;

  // For the Gflop/s of `./lab run part3 naive -v` and of your versions.
  double flops_of_naive() const { return naive_add + naive_mul + naive_div + naive_sqrt; }
};

}  // namespace nbody
