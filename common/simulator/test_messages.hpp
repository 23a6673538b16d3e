#pragma once

#include "simulator/messages.hpp"

namespace nbody {

// Small messages for tests.

inline Hello test_hello() {
  return {Precision::double_precision, 1, "test", "bad_program", "avx2"};
}

// n bodies; every number is another one, so that swapped columns show.
inline Request test_request(std::size_t n = 2) {
  Request request;
  request.steps = 2;
  request.accelerations = true;
  request.threads = 3;
  request.setting = {1.5, 0.25, 0.125, 0.0625, "hermite4", 0.75};
  request.bodies.resize(n);
  double value = 1;
  for (auto* column : columns_of(request.bodies)) {
    for (double& number : *column) number = value++;
  }
  return request;
}

// An answer of the right shape: nothing moves.
inline Answer test_answer(const Request& request) {
  const Bodies<double>& b = request.bodies;
  const Vectors<double> at{b.qx, b.qy, b.qz}, moving{b.vx, b.vy, b.vz};
  Answer answer;
  for (std::uint64_t k = 1; k <= request.states(); ++k) {
    answer.states.push_back({static_cast<double>(k), at, moving});
  }
  if (request.accelerations) answer.accelerations = moving;
  return answer;
}

}  // namespace nbody
