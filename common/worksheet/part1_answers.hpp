#pragma once

#include <string>

#include "worksheet/answers.hpp"

namespace nbody {

// The answers of part 1 for one number of bodies; the questions are in its worksheet.hpp.
struct Part1Answers {
  std::string authors;  // 0

  double forces_percent = unanswered;  // 1
  double neighbours_percent = unanswered;
  double speed_up_without_forces = unanswered;  // 2

  FlopCounts naive;                        // 3
  MemoryCounts naive_memory;               // 4
  MemoryCounts naive_memory_in_registers;  // 5
  double intensity = unanswered;           // 6
  double intensity_in_registers = unanswered;

  double attainable_on_paper = unanswered;  // 7
  double attainable_on_paper_in_registers = unanswered;
  char bound_on_paper = no_choice;  // 8

  double peak_here = unanswered;  // 9
  double bandwidth_here = unanswered;
  double attainable_here = unanswered;
  double naive_gflops_here = unanswered;  // 10
  double reached_percent = unanswered;
  char limited_by = no_choice;

  char with_more_bodies = no_choice;  // 11
  double time_ratio = unanswered;     // 12

  std::string mine = "mine";  // 13
  double mine_flops = unanswered;
  MemoryCounts mine_memory;

  std::string before_third_law;  // 15
  std::string third_law;
  double third_law_flops_ratio = unanswered;
  char third_law_why = no_choice;  // 16

  double first_block_percent = unanswered;  // 17
  double best_speed_up_of_blocks = unanswered;
  double threads = unanswered;  // 18
  double speed_up_with_threads = unanswered;
  double serial_fraction = unanswered;
  double error_of_race = unanswered;  // 19
  char which_pass = no_choice;
};

// Made by CMake from the part's worksheet.hpp.
Part1Answers part1_answers(double n);

}  // namespace nbody
