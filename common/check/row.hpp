#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace nbody {

enum class Verdict { passed, failed, not_run };

// One judged case.
struct Row {
  std::string group;  // "forces", "steps", ...
  std::string scene;  // what was simulated
  std::size_t n = 0;
  std::uint64_t seed = 0;
  double error = 0;  // in the group's own measure; infinity for NaN or no answer
  double limit = 0;
  Verdict verdict = Verdict::not_run;
  std::string detail = {};     // worst body, expected and got; or why there was no answer
  std::string diagnosis = {};  // what kind of mistake does this, if one fits
};

using Rows = std::vector<Row>;

// "Not small enough" fails, so that NaN fails. No fast-math near this file.
inline Verdict judged(double error, double limit) {
  return error <= limit ? Verdict::passed : Verdict::failed;
}

bool all_passed(const Rows& rows);

}  // namespace nbody
