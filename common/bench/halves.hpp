#pragma once

#include <functional>
#include <string>

#include "check/tolerance.hpp"
#include "core/random.hpp"
#include "simulator/messages.hpp"

namespace nbody::bench {

// A request that was timed, and its answer.
struct TimedAnswer {
  Request request;
  Answer answer;
};

struct HalvesVerdict {
  std::string wrong;                // what was found; empty: nothing
  bool shows_joined_steps = false;  // steps of twice the length would have been noticed
};

// Did the answer make its K steps? The program is asked for the first half of them, and for the
// second from where that ended: both must lead to the same place. One of the halves, drawn at
// random, is asked for in the same way, down to a single step, which the reference judges on some
// bodies. This costs about 2 K steps of the program and no run of the reference, so it works for
// any number of bodies. Who skips, joins or approximates steps differs at some level.
// `ask` may throw what it likes. The integrator must be Eq. 4 and 5.
HalvesVerdict judge_by_halves(const std::function<Answer(const Request&)>& ask, TimedAnswer timed,
                              const check::Tolerance& tolerance, Random& random);

// How far two ends of the same run are apart: the velocities, relative to what the pulls changed,
// for the body in the middle of all. Rounding in `steps` steps is tolerated. Infinity for NaN.
double distance_between(const State& one, const State& other, const State& start,
                        std::uint64_t steps, double digits);

}  // namespace nbody::bench
