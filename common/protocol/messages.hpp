#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "bodies/bodies.hpp"
#include "bodies/scene.hpp"
#include "protocol/precision.hpp"

namespace nbody::protocol {

// The argument of --precision. Throws InputError.
Precision precision_named(const std::string& text);

// The requests and answers of a simulator program started with --serve. docs/protocol.md describes
// every byte; all numbers are little-endian.

inline constexpr std::uint32_t protocol_version = 3;
// Requests that may be sent before the first one's answer is read.
inline constexpr std::size_t max_requests_ahead = 16;
// Longest name in a message: printable ASCII without blanks.
inline constexpr std::size_t name_size = 64;

// The first message of a program, sent unasked: what it is.
struct Hello {
  Precision precision = Precision::single_precision;
  bool has_jerk = false;
  std::uint32_t ranks = 1;      // processes that it runs as
  std::string part, name;       // of the implementation: "part1", "mine"
  std::string instruction_set;  // "avx2"; empty: any machine
  bool operator==(const Hello&) const = default;
};

struct Request {
  std::uint64_t id = 0;
  Precision precision = Precision::single_precision;
  bool want_accelerations = false;  // of the state reached after `steps` steps
  bool want_every_state = false;    // the state after each step, not only after the last one
  bool want_jerk = false;           // da/dt of the same state
  bool adaptive = false;            // time step by Eq. 7, never below setting.dt_floor
  std::uint32_t threads = 0;        // 0: the program's own default
  std::uint32_t ranks = 0;          // processes; 0: as many as there are
  std::uint64_t steps = 0;
  Setting setting;
  Bodies<double> bodies;  // radii do not travel
  bool operator==(const Request&) const = default;
};

struct State {
  double time = 0;  // simulated since the request's bodies, s
  Vectors<double> position, velocity;
  bool operator==(const State&) const = default;
};

struct Answer {
  std::uint64_t id = 0;           // that of the request
  std::string error;              // not empty: the request was refused, nothing else is filled
  bool unsupported = false;       // refused, since the program cannot do what was asked at all
  std::vector<State> states;      // every state after a step, or just the last one
  Vectors<double> accelerations;  // empty unless asked for
  Vectors<double> jerk;           // the same
  bool operator==(const Answer&) const = default;
};

// A message that breaks the protocol: foreign, of another version, too long, or cut short.
class ProtocolError : public std::runtime_error {
 public:
  explicit ProtocolError(const std::string& message) : std::runtime_error(message) {}
};

// Thrown by a server's handler: it lacks what the request asks for, and always will.
class Unsupported : public std::runtime_error {
 public:
  explicit Unsupported(const std::string& what) : std::runtime_error(what) {}
};

// A frame is a header of this many bytes and a payload of the length the header states.
inline constexpr std::size_t frame_header_size = 32;
inline constexpr std::uint64_t max_payload_size = std::uint64_t{1} << 34;  // 16 GiB
inline constexpr std::size_t max_refusal_size = 4096;                      // bytes of text
inline constexpr std::size_t hello_size = 16 + 3 * name_size;              // of its payload

struct FrameHeader {
  enum class Kind : std::uint32_t {
    request = 1,
    answer = 2,
    refusal = 3,
    hello = 4,
    unsupported = 5  // a refusal: the program lacks a function or an integrator
  };
  Kind kind;
  std::uint64_t id;
  std::uint64_t payload_size;  // bytes
};

inline bool is_refusal(const FrameHeader& header) {
  return header.kind == FrameHeader::Kind::refusal || header.kind == FrameHeader::Kind::unsupported;
}

// The first bytes of an answer's payload, which describe the rest.
inline constexpr std::size_t answer_shape_size = 24;
struct AnswerShape {
  bool accelerations = false;
  std::uint64_t bodies = 0;
  std::uint64_t states = 0;
  bool jerk = false;
  bool operator==(const AnswerShape&) const = default;
};
AnswerShape expected_shape(const Request& request);

// All of these throw ProtocolError; none allocates more than the payload justifies.
FrameHeader parse_header(std::string_view bytes);          // exactly frame_header_size bytes
AnswerShape parse_answer_shape(std::string_view payload);  // its first answer_shape_size bytes
std::uint64_t answer_payload_size(const AnswerShape& shape);
Hello parse_hello(const FrameHeader& header, std::string_view payload);
Request parse_request(const FrameHeader& header, std::string_view payload);
Answer parse_answer(const FrameHeader& header, std::string_view payload);

// Header and payload in one string. They check that all columns have the same length, but not the
// values: a wrong simulator's NaN must reach the checker bit for bit.
std::string format_hello(const Hello& hello);
std::string format_request(const Request& request);
std::string format_request(const Request& request, std::uint64_t id);  // instead of request.id
std::string format_answer(const Answer& answer);

}  // namespace nbody::protocol
