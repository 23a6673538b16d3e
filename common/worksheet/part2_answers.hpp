#pragma once

#include <string>

#include "worksheet/answers.hpp"

namespace nbody {

struct Lanes {
  double of_float = unanswered;
  double of_double = unanswered;
};

// The answers of part 2 for one number of bodies; the questions are in its worksheet.hpp.
struct Part2Answers {
  std::string authors;  // 0

  char why_structure_of_arrays = no_choice;  // 1

  char reduction_permits = no_choice;  // 2
  char no_math_errno_permits = no_choice;
  char no_trapping_math_permits = no_choice;
  char selection_permits = no_choice;

  FlopCounts naive;  // 3

  Lanes sse2, avx2, avx512, neon;  // 4
  double full_batches = unanswered;
  double left_over = unanswered;
  double fillers = unanswered;
  double bound_of_root_and_division = unanswered;  // 5

  char why_not_add_up_in_the_loop = no_choice;  // 6

  char raw_estimate = no_choice;  // 7
  double steps_from_12_to_float = unanswered;
  double steps_from_14_to_float = unanswered;
  double steps_from_14_to_double = unanswered;

  double instructions = unanswered;  // 8
  double bound = unanswered;

  double rows = unanswered;  // 9
  double rows_predicted = unanswered;
  double rows_measured = unanswered;

  double third_law_instructions = unanswered;  // 10
  double third_law_bound = unanswered;
  char third_law_why = no_choice;

  double speed_up_at_256 = unanswered;  // 11
  double speed_up_at_10000 = unanswered;
  double threads_pay_from = unanswered;

  double double_predicted = unanswered;  // 12
  double double_measured = unanswered;
  char double_why = no_choice;

  std::string mine = "mine";  // 13
  double mine_flops = unanswered;
  double mine_fma = unanswered;
  double interactions_here = unanswered;
  double clock_here = unanswered;
  double bound_here = unanswered;
  double reached_percent = unanswered;
};

// Made by CMake from the part's worksheet.hpp.
Part2Answers part2_answers(double n);

}  // namespace nbody
