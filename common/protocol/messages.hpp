#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/bodies.hpp"
#include "core/scene.hpp"
#include "protocol/precision.hpp"

namespace nbody::protocol {

// The argument of --precision. Throws InputError.
Precision precision_named(const std::string& text);

// What a program started with --serve and its asker say to each other. A message is a header, one
// line of JSON, and then columns: raw little-endian doubles, whose number follows from the header.
// docs/protocol.md describes each.

inline constexpr std::uint64_t protocol_version = 4;
inline constexpr std::size_t max_header_size = 32768;  // bytes, with the end of its line
inline constexpr std::uint64_t max_columns_size = std::uint64_t{1} << 34;  // bytes of a message
inline constexpr std::size_t max_refusal_size = 4096;                      // bytes of text
// Longest name in a message: printable ASCII without blanks.
inline constexpr std::size_t name_size = 64;

// The first message of a program, sent unasked: what it is. It has no columns.
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

// Why there is no answer.
enum class Refusal {
  none,
  failed,      // not this request: two bodies coincide, memory is short
  unsupported  // the program lacks what was asked for, whatever the bodies; it can be asked on
};

struct Answer {
  std::uint64_t id = 0;             // that of the request
  Refusal refused = Refusal::none;  // else only the error is filled
  std::string error;
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

// The columns of an answer.
struct AnswerShape {
  std::uint64_t bodies = 0, states = 1;
  bool accelerations = false, jerk = false;
  bool operator==(const AnswerShape&) const = default;
};
AnswerShape expected_shape(const Request& request);

struct RequestHeader {
  Request request;  // without bodies
  std::uint64_t bodies = 0;
};
struct AnswerHeader {
  Answer answer;      // without states
  AnswerShape shape;  // of no bodies, if it was refused
};

// Bytes after the header. Throws ProtocolError where no message may have so many.
std::uint64_t columns_size(const RequestHeader& header);
std::uint64_t columns_size(const AnswerShape& shape);

// These throw ProtocolError. A header comes without the end of its line; its columns have exactly
// the size that it implies.
Hello parse_hello(std::string_view header);
RequestHeader parse_request_header(std::string_view header);
AnswerHeader parse_answer_header(std::string_view header);
Request parse_request(RequestHeader header, std::string_view columns);
Answer parse_answer(AnswerHeader header, std::string_view columns);
// The id of a request, even if everything else in its header is wrong; 0: there is none.
std::uint64_t request_id(std::string_view header);

// Header and columns in one string. A refusal's text is cut to max_refusal_size. The numbers of
// columns are not checked: a wrong simulator's NaN must reach the checker bit for bit.
std::string format_hello(const Hello& hello);
std::string format_request(const Request& request);
std::string format_request(const Request& request, std::uint64_t id);  // instead of request.id
std::string format_answer(const Answer& answer);

// Text of an untrusted program, safe to print on one line: every byte that is not printable ASCII
// becomes \xNN, and a long text is cut and ends in "...".
std::string safe_line(std::string_view text, std::size_t max_size = 200);

}  // namespace nbody::protocol
