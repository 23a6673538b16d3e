#include "protocol/messages.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/body_file.hpp"
#include "core/input_error.hpp"
#include "protocol/wire.hpp"

namespace nbody::protocol {
namespace {

constexpr std::uint64_t max_threads = 4096, max_ranks = 65536;
constexpr std::array column_names = {"mass", "qx", "qy", "qz", "vx", "vy", "vz"};
constexpr std::array precisions = {Word<Precision>{Precision::single_precision, "float"},
                                   Word<Precision>{Precision::double_precision, "double"}};
constexpr std::array refusals = {Word<Refusal>{Refusal::failed, "failed"},
                                 Word<Refusal>{Refusal::unsupported, "unsupported"}};

// In the order of a request, as in the names.
template <typename AnyBodies>
auto columns_of(AnyBodies& bodies) {
  return std::array{&bodies.mass, &bodies.qx, &bodies.qy, &bodies.qz,
                    &bodies.vx,   &bodies.vy, &bodies.vz};
}

// The members of each header, read or written.

template <typename Header, typename AnyHello>
void hello_members(Header& header, AnyHello& hello) {
  header.name("part", hello.part);
  header.name("name", hello.name);
  header.choice("precision", hello.precision, precisions);
  header.name("instruction_set", hello.instruction_set);
  header.count("ranks", hello.ranks, 1, max_ranks);
  header.boolean("jerk", hello.has_jerk);
}

template <typename Header, typename Count, typename AnyRequest>
void request_members(Header& header, Count& id, Count& bodies, AnyRequest& request) {
  header.count("request", id, 1);
  header.count("n", bodies, 1, max_bodies);
  header.count("steps", request.steps, 0);
  header.choice("precision", request.precision, precisions);
  header.name("integrator", request.setting.integrator);
  header.setting("dt", request.setting.dt);
  header.boolean("adaptive", request.adaptive);
  header.setting("dt_floor", request.setting.dt_floor);
  header.setting("G", request.setting.G);
  header.setting("softening", request.setting.softening);
  header.setting("damping", request.setting.damping, 1);
  header.boolean("every_state", request.want_every_state);
  header.boolean("accelerations", request.want_accelerations);
  header.boolean("jerk", request.want_jerk);
  header.count("threads", request.threads, 0, max_threads);
  header.count("ranks", request.ranks, 0, max_ranks);
}

template <typename Header, typename Shape>
void shape_members(Header& header, Shape& shape) {
  header.count("n", shape.bodies, 1, max_bodies);
  header.count("states", shape.states, 1);
  header.boolean("accelerations", shape.accelerations);
  header.boolean("jerk", shape.jerk);
}

template <typename Header, typename AnyAnswer>
void refusal_members(Header& header, AnyAnswer& answer) {
  header.choice("refused", answer.refused, refusals);
  header.text("text", answer.error);
}

void check_bodies(const Bodies<double>& bodies) {
  const auto columns = columns_of(bodies);
  for (std::size_t column = 0; column < columns.size(); ++column) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const double value = (*columns[column])[i];
      require(std::isfinite(value), "{} of body {} is {}: it must be finite", column_names[column],
              i, value);
    }
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    require(bodies.mass[i] > 0, "mass of body {} is {}: it must be > 0", i, bodies.mass[i]);
  }
}

}  // namespace

Precision precision_named(const std::string& text) {
  for (const auto& [precision, word] : precisions) {
    if (text == word) return precision;
  }
  throw InputError("--precision needs float or double, not '" + text + "'");
}

std::string safe_line(std::string_view text, std::size_t max_size) {
  return printable(text.substr(0, max_size)) + (text.size() > max_size ? "..." : "");
}

Hello parse_hello(std::string_view line) {
  HeaderReader header(line);
  std::uint64_t version = 0;
  header.count("protocol", version, 0);
  require(version == protocol_version, "it speaks version {} of the protocol, where {} is needed",
          version, protocol_version);
  Hello hello;
  hello_members(header, hello);
  header.demand_no_more();
  return hello;
}

std::string format_hello(const Hello& hello) {
  HeaderWriter header;
  header.count("protocol", protocol_version, 0);
  hello_members(header, hello);
  return header.line();
}

AnswerShape expected_shape(const Request& request) {
  const bool every = request.want_every_state && request.steps > 0;
  return {request.bodies.size(), every ? request.steps : 1, request.want_accelerations,
          request.want_jerk};
}

std::uint64_t columns_size(const RequestHeader& header) {
  return header.bodies * column_names.size() * sizeof(double);
}

// No overflow: a header has at most max_bodies.
std::uint64_t columns_size(const AnswerShape& shape) {
  const std::uint64_t vectors = (shape.accelerations ? 1 : 0) + (shape.jerk ? 1 : 0);
  const std::uint64_t rest = vectors * 3 * sizeof(double) * shape.bodies;
  const std::uint64_t state = sizeof(double) * (1 + 6 * shape.bodies);
  require(shape.states <= (max_columns_size - rest) / state,
          "{} states of {} bodies do not fit in one answer of {} bytes", shape.states, shape.bodies,
          max_columns_size);
  return rest + shape.states * state;
}

std::uint64_t request_id(std::string_view header) {
  const json members = json::parse(header.begin(), header.end(), nullptr, false);
  if (!members.is_object() || !members.contains("request")) return 0;
  const json& id = members.at("request");
  return id.is_number_unsigned() ? id.get<std::uint64_t>() : 0;
}

RequestHeader parse_request_header(std::string_view line) {
  HeaderReader header(line);
  RequestHeader read;
  request_members(header, read.request.id, read.bodies, read.request);
  header.demand_no_more();
  AnswerShape shape = expected_shape(read.request);
  shape.bodies = read.bodies;
  columns_size(shape);  // throws if no answer could hold the states
  return read;
}

Request parse_request(RequestHeader header, std::string_view columns) {
  check_columns_size(columns.size(), columns_size(header));
  ColumnReader reader(columns);
  Request request = std::move(header.request);
  for (auto* column : columns_of(request.bodies)) *column = reader.column(header.bodies);
  request.bodies.radius.assign(header.bodies, 0);
  check_bodies(request.bodies);
  return request;
}

std::string format_request(const Request& request) { return format_request(request, request.id); }

std::string format_request(const Request& request, std::uint64_t id) {
  std::uint64_t n = request.bodies.size();
  HeaderWriter header;
  request_members(header, id, n, request);
  std::string message = header.line();
  message.reserve(message.size() + columns_size(RequestHeader{{}, n}));
  for (const auto* column : columns_of(request.bodies)) append(message, *column, n);
  return message;
}

AnswerHeader parse_answer_header(std::string_view line) {
  HeaderReader header(line);
  AnswerHeader read;
  header.count("answer", read.answer.id, 0);
  if (header.has("refused")) {
    refusal_members(header, read.answer);
    require(!read.answer.error.empty(), "it refused and gave no reason");
  } else {
    shape_members(header, read.shape);
    columns_size(read.shape);  // throws if there cannot be so many
  }
  header.demand_no_more();
  return read;
}

Answer parse_answer(AnswerHeader header, std::string_view columns) {
  Answer answer = std::move(header.answer);
  if (answer.refused != Refusal::none) {
    check_columns_size(columns.size(), 0);
    return answer;
  }
  const auto [bodies, states, accelerations, jerk] = header.shape;
  check_columns_size(columns.size(), columns_size(header.shape));
  ColumnReader reader(columns);
  answer.states.resize(states);
  const std::vector<double> times = reader.column(states);
  for (std::size_t k = 0; k < states; ++k) {
    answer.states[k].time = times[k];
    answer.states[k].position = reader.vectors(bodies);
    answer.states[k].velocity = reader.vectors(bodies);
  }
  if (accelerations) answer.accelerations = reader.vectors(bodies);
  if (jerk) answer.jerk = reader.vectors(bodies);
  return answer;
}

std::string format_answer(const Answer& answer) {
  HeaderWriter header;
  header.count("answer", answer.id, 0);
  if (answer.refused != Refusal::none) {
    Answer cut = answer;
    cut.error.resize(std::min(cut.error.size(), max_refusal_size));
    refusal_members(header, cut);
    return header.line();
  }
  require(!answer.states.empty(), "an answer holds at least one state");
  const std::size_t n = answer.states.front().position.size();
  const AnswerShape shape{n, answer.states.size(), answer.accelerations.size() > 0,
                          answer.jerk.size() > 0};
  shape_members(header, shape);
  std::string message = header.line();
  message.reserve(message.size() + columns_size(shape));
  std::vector<double> times;
  for (const State& state : answer.states) times.push_back(state.time);
  append(message, times, times.size());
  for (const State& state : answer.states) {
    append(message, state.position, n);
    append(message, state.velocity, n);
  }
  if (shape.accelerations) append(message, answer.accelerations, n);
  if (shape.jerk) append(message, answer.jerk, n);
  return message;
}

}  // namespace nbody::protocol
