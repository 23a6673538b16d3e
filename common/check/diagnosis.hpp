#pragma once

#include <vector>

#include "check/case.hpp"
#include "check/subject.hpp"

namespace nbody::check {

// A wrong answer.
struct Failure {
  const Case* test;
  Answer answer;
  std::size_t row;    // of Rows
  std::size_t place;  // of its request among those that were answered
};
using Failing = std::vector<const Failure*>;
using Passed = std::vector<const Case*>;

// What one program was asked, and what came of it.
struct Record {
  std::vector<Failure> failures;
  Passed passed, asked;      // asked: all that were answered, in the order of the requests
  bool has_kernels = false;  // it knows --block: its threads are not those of a request
};

// One mistake for the whole run: it fits most failing cases of the most basic group that fails, and
// contradicts none that passed. These cases get its sentence; the program may be asked again.
void diagnose(Subject& subject, const Record& record, Rows& rows);

}  // namespace nbody::check
