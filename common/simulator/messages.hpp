#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/bodies.hpp"
#include "core/input_error.hpp"
#include "core/scene.hpp"
#include "simulator/contract.hpp"

namespace nbody {

// What a program started with --serve and its asker say to each other. A message is a header, one
// line of JSON, and then columns: raw little-endian doubles, whose number follows from the request.
// docs/protocol.md describes them; members of a header are called as they are here.

inline constexpr int protocol_version = 6;
inline constexpr std::size_t max_header_size = 32768;  // bytes, with the end of its line
inline constexpr std::size_t max_refusal_size = 4096;  // bytes of text

// The first message of a program, sent unasked: what it is. It has no columns.
struct Hello {
  Precision precision = Precision::single_precision;
  unsigned ranks = 1;           // processes that it runs as
  std::string part, name;       // of the implementation: "part1", "mine"
  std::string instruction_set;  // "avx2"; empty: any machine
  bool operator==(const Hello&) const = default;
};

struct Request {
  std::uint64_t steps = 0;
  bool adaptive = false;       // time step by Eq. 7, never below setting.dt_floor
  bool every_state = false;    // the state after each step, not only after the last one
  bool accelerations = false;  // of the state reached after `steps` steps
  unsigned threads = 0;        // 0: the program's own default
  Setting setting;
  Bodies<double> bodies;  // radii do not travel
  bool operator==(const Request&) const = default;

  std::uint64_t states() const { return every_state && steps > 0 ? steps : 1; }
};

struct State {
  double time = 0;  // simulated since the request's bodies, s
  Vectors<double> position, velocity;
  bool operator==(const State&) const = default;
};

struct Answer {
  std::vector<State> states;      // every state after a step, or just the last one
  Vectors<double> accelerations;  // empty unless asked for
  bool operator==(const Answer&) const = default;
};

// Why there is no answer.
enum class Refusal {
  none,
  failed,      // not this request: two bodies coincide, memory is short
  unsupported  // the program lacks what was asked for, whatever the bodies; it can be asked on
};

// A message that breaks the protocol: foreign, of another version, too long, or cut short.
struct ProtocolError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The program lacks what was asked for, and always will, whatever the bodies.
struct Unsupported : InputError {
  using InputError::InputError;
};

// "float" or "double". Throws InputError.
Precision precision_named(const std::string& text);

// The numbers of columns are not checked: a wrong simulator's NaN must reach the
// checker bit for bit. `id` is the request's number, which its answer repeats.
std::string format_hello(const Hello& hello);
std::string format_request_header(const Request& request, std::uint64_t id);
std::string format_request(const Request& request, std::uint64_t id);
std::string format_answer(const Answer& answer, std::uint64_t id);
std::string format_refusal(Refusal why, std::string_view text, std::uint64_t id);

struct NumberedRequest {
  std::uint64_t id = 0;
  Request request;
};
struct AnswerHeader {
  std::uint64_t request = 0;  // its number
  Refusal refused = Refusal::none;
  std::string text;  // of a refusal
};

// Headers come with or without the end of their line. These throw ProtocolError.
Hello parse_hello(std::string_view header);
NumberedRequest parse_request_header(std::string_view header);  // its bodies are all 0
AnswerHeader parse_answer_header(std::string_view header);

// The columns of a request.
template <typename AnyBodies>
auto columns_of(AnyBodies& bodies) {
  return std::array{&bodies.mass, &bodies.qx, &bodies.qy, &bodies.qz,
                    &bodies.vx,   &bodies.vy, &bodies.vz};
}
std::uint64_t answer_columns_size(const Request& request);              // bytes
Answer parse_answer(const Request& request, std::string_view columns);  // of the right size

}  // namespace nbody
