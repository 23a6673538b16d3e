#pragma once

#include <string>

#include "worksheet/answers.hpp"

namespace nbody {

// Bytes that an iteration copies.
struct Copies {
  double to_gpu = unanswered;
  double from_gpu = unanswered;
};

// What copies are of an iteration, and how many times as fast it would be without them.
struct CopyShare {
  double percent = unanswered;
  double gain = unanswered;
};

// The answers of part 3 for one number of bodies; the questions are in its worksheet.hpp.
struct Part3Answers {
  std::string authors;  // 0

  double peak = unanswered;  // 1

  double blocks_of_128 = unanswered;  // 2
  double idle_threads = unanswered;
  double smallest_n_of_64 = unanswered;
  double smallest_n_of_1024 = unanswered;
  double resident_blocks = unanswered;

  char error_told_by = no_choice;  // 3
  char clock_shows = no_choice;

  Copies fixed_step, adaptive_step;  // 4
  double copies = unanswered;

  CopyShare few, many;  // 5

  FlopCounts naive;  // 6

  char instructions_gone = no_choice;  // 7

  MemoryCounts naive_global, naive_shared;  // 8
  MemoryCounts time_step_global, time_step_shared;

  char why_no_coalescing = no_choice;  // 9

  double tile_global_loads = unanswered;  // 10
  double tile_shared_stores = unanswered;
  double tile_shared_loads = unanswered;
  double times_loaded = unanswered;

  char first_barrier = no_choice;  // 11
  char second_barrier = no_choice;
  char early_return = no_choice;

  double blocks_of_several = unanswered;  // 12
  double busy_percent = unanswered;
  double several_pay_from = unanswered;

  double threads_a_body = unanswered;  // 13
  double steps_by_launches = unanswered;
  double empty_kernel_here = unanswered;

  double third_law_gain = unanswered;  // 14
  double third_law_bound = unanswered;
  char why_no_atomics = no_choice;

  double intensity = unanswered;  // 15
  double intensity_as_written = unanswered;
  double ridge = unanswered;
  double tile_intensity = unanswered;
  double tile_intensity_delivered = unanswered;

  char limit_of_few = no_choice;  // 16
  char limit_of_many = no_choice;

  double most_percent = unanswered;  // 17
  double most_percent_of_third_law = unanswered;
  char why_above_the_peak = no_choice;

  std::string mine = "mine";  // 18
  double mine_flops = unanswered;
  MemoryCounts mine_global, mine_shared;

  double few_here = unanswered;  // 19
  double many_here = unanswered;
  double peak_here = unanswered;
  double reached_percent = unanswered;
};

// Made by CMake from the part's worksheet.hpp.
Part3Answers part3_answers(double n);

}  // namespace nbody
