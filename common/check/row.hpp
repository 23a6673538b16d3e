#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nbody::check {

// What is asked about, in order of dependence: wrong forces make wrong steps, and so on.
enum class Group {
  forces,
  exact_cases,
  steps,
  adaptive_step,
  integrators,
  threads,
  ranks,
  many_bodies,
  long_use,
  in_double,
};

std::string name_of(Group group);

// What is wrong: a name, by which programs decide, and a sentence for people. The same mistake has
// the same name in every case; its sentence may contain other indices.
struct Cause {
  const char* mistake = "";
  std::string sentence = {};

  bool is_known() const { return !sentence.empty(); }
};

inline bool is(const Cause& cause, std::string_view mistake) { return cause.mistake == mistake; }

enum class Verdict { passed, failed };

enum class Reply { given, late, missing };  // late: none within the time for one

// One judged case.
struct Row {
  Group group = Group::forces;
  std::string scene = {};  // what was simulated
  std::size_t n = 0;
  std::uint64_t seed = 0;
  bool in_double = false;  // asked of the program for double, beside the one for float
  // In the measure of its group. NaN if the answer contains NaN or infinity; infinity for no
  // answer, or a mistake without a measure.
  double error = 0;
  double limit = 0;
  Verdict verdict = Verdict::failed;
  std::string detail = {};  // worst body, expected and got; or why there was no answer
  Cause cause = {};         // if one fits
  Reply reply = Reply::given;
  bool answers_change = false;  // the same request got different answers: then nothing else counts
};

using Rows = std::vector<Row>;

// Where a row is shown: those of the program for double have a group of their own.
inline Group shown_in(const Row& row) { return row.in_double ? Group::in_double : row.group; }

// "Not small enough" fails, so that NaN fails. No fast-math near this file.
inline Verdict judged(double error, double limit) {
  return error <= limit ? Verdict::passed : Verdict::failed;
}

bool all_passed(const Rows& rows);

}  // namespace nbody::check
