#pragma once

#include <bit>
#include <cstddef>
#include <string>
#include <string_view>

#include "protocol/frame.hpp"
#include "protocol/message_property.hpp"

namespace nbody::protocol {

// Small messages for tests, and ways to corrupt them.

// Two bodies; every field has a different value, so that swapped fields show.
inline Request small_request() {
  Request request;
  request.id = 7;
  request.precision = Precision::double_precision;
  request.want_accelerations = true;
  request.threads = 3;
  request.ranks = 2;
  request.steps = 2;
  request.setting = {1.5, 0.25, 0.125, 0.0625, "hermite4", 0.75};
  request.bodies.resize(2);
  double value = 1;
  Bodies<double>& bodies = request.bodies;
  for (auto* column :
       {&bodies.mass, &bodies.qx, &bodies.qy, &bodies.qz, &bodies.vx, &bodies.vy, &bodies.vz}) {
    for (double& number : *column) number = value++;
  }
  return request;
}

inline Hello small_hello() {
  return {Precision::double_precision, true, 3, "part1", "mine", "avx512"};
}

inline Vectors<double> numbered_vectors(std::size_t n, double first) {
  Vectors<double> vectors;
  vectors.resize(n);
  for (auto* column : {&vectors.x, &vectors.y, &vectors.z}) {
    for (double& number : *column) number = first++;
  }
  return vectors;
}

// Two states of two bodies, with accelerations.
inline Answer small_answer() {
  Answer answer;
  answer.id = 9;
  answer.states = {{0.5, numbered_vectors(2, 10), numbered_vectors(2, 20)},
                   {1.0, numbered_vectors(2, 30), numbered_vectors(2, 40)}};
  answer.accelerations = numbered_vectors(2, 50);
  return answer;
}

inline std::string with_u32(std::string bytes, std::size_t offset, std::uint32_t value) {
  store_little_endian(value, bytes.data() + offset);
  return bytes;
}
inline std::string with_u64(std::string bytes, std::size_t offset, std::uint64_t value) {
  store_little_endian(value, bytes.data() + offset);
  return bytes;
}
inline std::string with_f64(std::string bytes, std::size_t offset, double value) {
  return with_u64(std::move(bytes), offset, std::bit_cast<std::uint64_t>(value));
}

inline constexpr auto parse_hello_frame = parse_frame<parse_hello>;
inline constexpr auto parse_request_frame = parse_frame<parse_request>;
inline constexpr auto parse_answer_frame = parse_frame<parse_answer>;

// What the ProtocolError says; empty when nothing is wrong.
template <typename Parse>
std::string fault_of(Parse parse, const std::string& bytes) {
  try {
    parse(bytes);
    return "";
  } catch (const ProtocolError& fault) {
    return fault.what();
  }
}

}  // namespace nbody::protocol
