#include "protocol/messages.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "bodies/body_file.hpp"
#include "bodies/input_error.hpp"
#include "bodies/words.hpp"
#include "protocol/require.hpp"

namespace nbody::protocol {
namespace {

static_assert(std::endian::native == std::endian::little, "columns are copied as they are");

using json = nlohmann::ordered_json;  // its members stay in the order in which they are written

constexpr std::uint64_t any_count = ~std::uint64_t{0};
constexpr std::uint64_t max_threads = 4096, max_ranks = 65536;
constexpr std::array precisions = {Precision::single_precision, Precision::double_precision};
constexpr std::array column_names = {"mass", "qx", "qy", "qz", "vx", "vy", "vz"};

// In the order of a request, as in the names.
template <typename AnyBodies>
auto columns_of(AnyBodies& bodies) {
  return std::array{&bodies.mass, &bodies.qx, &bodies.qy, &bodies.qz,
                    &bodies.vx,   &bodies.vy, &bodies.vz};
}

// Names appear in messages to people.
void check_name(const std::string& member, std::string_view name) {
  const auto is_allowed = [](char letter) { return letter > ' ' && letter <= '~'; };
  require(name.size() <= name_size, "\"{}\" is too long: at most {} letters are allowed", member,
          name_size);
  require(std::all_of(name.begin(), name.end(), is_allowed),
          "\"{}\" is '{}': blanks, and bytes that are not printable ASCII, are not allowed", member,
          safe_line(name));
}

void check_setting(const std::string& member, double value, double most = HUGE_VAL) {
  require(std::isfinite(value) && value >= 0, "\"{}\" is {}: it must be finite and not negative",
          member, value);
  require(value <= most, "\"{}\" is {}: at most {} is allowed", member, value, most);
}

// The members of a header. Each must be asked for, and no other may be there.
class Members {
 public:
  explicit Members(std::string_view header) : header_(header) {
    all_ = json::parse(header.begin(), header.end(), nullptr, false);
    require(all_.is_object(), "what it sent is not a header in JSON: \"{}\"", printed());
  }

  bool has(const char* name) const { return all_.contains(name); }

  bool boolean(const char* name) {
    const json& value = member(name);
    require(value.is_boolean(), "\"{}\" is {}: it must be true or false", name, printed(value));
    return value.get<bool>();
  }

  std::uint64_t count(const char* name, std::uint64_t least, std::uint64_t most = any_count) {
    const json& value = member(name);
    require(value.is_number_unsigned(), "\"{}\" is {}: it must be a whole number, and not negative",
            name, printed(value));
    const auto number = value.get<std::uint64_t>();
    require(number >= least && number <= most, "\"{}\" is {}: {} to {} are allowed", name, number,
            least, most);
    return number;
  }

  double setting(const char* name, double most = HUGE_VAL) {
    const json& value = member(name);
    require(value.is_number(), "\"{}\" is {}: it must be a number", name, printed(value));
    check_setting(name, value.get<double>(), most);
    return value.get<double>();
  }

  std::string text(const char* name) {
    const json& value = member(name);
    require(value.is_string(), "\"{}\" is {}: it must be a text", name, printed(value));
    return value.get<std::string>();
  }

  std::string name(const char* member_name) {
    std::string name = text(member_name);
    check_name(member_name, name);
    return name;
  }

  Precision precision() {
    const std::string name = text("precision");
    for (const Precision precision : precisions) {
      if (name == name_of(precision)) return precision;
    }
    throw ProtocolError(
        fmt::format("\"precision\" is '{}': float or double are allowed", safe_line(name)));
  }

  void demand_no_more() const {
    for (const auto& [name, value] : all_.items()) {
      const bool known = std::find(asked_.begin(), asked_.end(), name) != asked_.end();
      require(known, "the header has a member \"{}\", which means nothing", safe_line(name));
    }
  }

 private:
  const json& member(const char* name) {
    require(has(name), "the header has no \"{}\": {}", name, printed());
    asked_.emplace_back(name);
    return all_.at(name);
  }
  std::string printed() const { return safe_line(header_, 60); }
  static std::string printed(const json& value) {
    return safe_line(value.dump(-1, ' ', true, json::error_handler_t::replace), 60);
  }

  std::string_view header_;
  json all_;
  std::vector<std::string> asked_;
};

// ASCII alone. Doubles have as many digits as bring back the same double.
std::string line_of(const json& header) {
  return header.dump(-1, ' ', true, json::error_handler_t::replace) + "\n";
}

void check_columns_size(std::size_t came, std::uint64_t expected) {
  require(came == expected, "{} bytes came after the header, which implies {}", came, expected);
}

// Copies columns out of bytes whose number was checked.
class ColumnReader {
 public:
  explicit ColumnReader(std::string_view bytes) : bytes_(bytes) {}
  std::vector<double> column(std::size_t n) {
    std::vector<double> values(n);
    std::memcpy(values.data(), bytes_.data(), sizeof(double) * n);
    bytes_.remove_prefix(sizeof(double) * n);
    return values;
  }
  Vectors<double> vectors(std::size_t n) {
    Vectors<double> vectors;
    for (auto* axis : {&vectors.x, &vectors.y, &vectors.z}) *axis = column(n);
    return vectors;
  }

 private:
  std::string_view bytes_;
};

void append(std::string& message, const std::vector<double>& column, std::size_t n) {
  require(column.size() == n, "the columns differ in length");
  message.append(reinterpret_cast<const char*>(column.data()), sizeof(double) * n);
}

void append(std::string& message, const Vectors<double>& vectors, std::size_t n) {
  for (const auto* axis : {&vectors.x, &vectors.y, &vectors.z}) append(message, *axis, n);
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

std::string format_refusal(const Answer& answer) {
  const char* code = answer.refused == Refusal::unsupported ? "unsupported" : "failed";
  const std::string text = answer.error.substr(0, max_refusal_size);
  return line_of({{"answer", answer.id}, {"refused", code}, {"text", text}});
}

Answer parse_refusal(Members& members) {
  Answer answer;
  const std::string code = members.text("refused");
  require(code == "failed" || code == "unsupported",
          "\"refused\" is '{}': failed or unsupported are allowed", safe_line(code));
  answer.refused = code == "failed" ? Refusal::failed : Refusal::unsupported;
  answer.error = members.text("text");
  require(!answer.error.empty(), "it refused and gave no reason");
  return answer;
}

}  // namespace

Precision precision_named(const std::string& text) {
  for (const Precision precision : precisions) {
    if (text == name_of(precision)) return precision;
  }
  throw InputError("--precision needs float or double, not '" + text + "'");
}

std::string safe_line(std::string_view text, std::size_t max_size) {
  return printable(text.substr(0, max_size)) + (text.size() > max_size ? "..." : "");
}

Hello parse_hello(std::string_view header) {
  Members members(header);
  const std::uint64_t version = members.count("protocol", 0);
  require(version == protocol_version, "it speaks version {} of the protocol, where {} is needed",
          version, protocol_version);
  Hello hello;
  hello.part = members.name("part");
  hello.name = members.name("name");
  hello.precision = members.precision();
  hello.instruction_set = members.name("instruction_set");
  hello.ranks = static_cast<std::uint32_t>(members.count("ranks", 1, max_ranks));
  hello.has_jerk = members.boolean("jerk");
  members.demand_no_more();
  return hello;
}

std::string format_hello(const Hello& hello) {
  check_name("part", hello.part);
  check_name("name", hello.name);
  check_name("instruction_set", hello.instruction_set);
  return line_of({{"protocol", protocol_version},
                  {"part", hello.part},
                  {"name", hello.name},
                  {"precision", name_of(hello.precision)},
                  {"instruction_set", hello.instruction_set},
                  {"ranks", hello.ranks},
                  {"jerk", hello.has_jerk}});
}

AnswerShape expected_shape(const Request& request) {
  const bool every = request.want_every_state && request.steps > 0;
  return {request.bodies.size(), every ? request.steps : 1, request.want_accelerations,
          request.want_jerk};
}

std::uint64_t columns_size(const RequestHeader& header) {
  return header.bodies * column_names.size() * sizeof(double);
}

std::uint64_t columns_size(const AnswerShape& shape) {
  require(shape.bodies <= max_bodies, "{} bodies are too many: at most {} are allowed",
          shape.bodies, max_bodies);  // so that nothing below overflows
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

RequestHeader parse_request_header(std::string_view header) {
  Members members(header);
  RequestHeader read;
  Request& request = read.request;
  request.id = members.count("request", 1);
  read.bodies = members.count("n", 1, max_bodies);
  request.steps = members.count("steps", 0);
  request.precision = members.precision();
  request.setting.integrator = members.name("integrator");
  request.setting.dt = members.setting("dt");
  request.adaptive = members.boolean("adaptive");
  request.setting.dt_floor = members.setting("dt_floor");
  request.setting.G = members.setting("G");
  request.setting.softening = members.setting("softening");
  request.setting.damping = members.setting("damping", 1);
  request.want_every_state = members.boolean("every_state");
  request.want_accelerations = members.boolean("accelerations");
  request.want_jerk = members.boolean("jerk");
  request.threads = static_cast<std::uint32_t>(members.count("threads", 0, max_threads));
  request.ranks = static_cast<std::uint32_t>(members.count("ranks", 0, max_ranks));
  members.demand_no_more();
  AnswerShape shape = expected_shape(request);
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
  const std::size_t n = request.bodies.size();
  const Setting& setting = request.setting;
  check_name("integrator", setting.integrator);
  check_setting("dt", setting.dt);  // JSON has neither NaN nor infinity
  check_setting("dt_floor", setting.dt_floor);
  check_setting("G", setting.G);
  check_setting("softening", setting.softening);
  check_setting("damping", setting.damping, 1);
  std::string message = line_of({{"request", id},
                                 {"n", n},
                                 {"steps", request.steps},
                                 {"precision", name_of(request.precision)},
                                 {"integrator", setting.integrator},
                                 {"dt", setting.dt},
                                 {"adaptive", request.adaptive},
                                 {"dt_floor", setting.dt_floor},
                                 {"G", setting.G},
                                 {"softening", setting.softening},
                                 {"damping", setting.damping},
                                 {"every_state", request.want_every_state},
                                 {"accelerations", request.want_accelerations},
                                 {"jerk", request.want_jerk},
                                 {"threads", request.threads},
                                 {"ranks", request.ranks}});
  message.reserve(message.size() + columns_size(RequestHeader{{}, n}));
  for (const auto* column : columns_of(request.bodies)) append(message, *column, n);
  return message;
}

AnswerHeader parse_answer_header(std::string_view header) {
  Members members(header);
  AnswerHeader read;
  const std::uint64_t id = members.count("answer", 0);
  if (members.has("refused")) {
    read.answer = parse_refusal(members);
  } else {
    read.shape.bodies = members.count("n", 1);
    read.shape.states = members.count("states", 1);
    read.shape.accelerations = members.boolean("accelerations");
    read.shape.jerk = members.boolean("jerk");
    columns_size(read.shape);  // throws if there cannot be so many
  }
  read.answer.id = id;
  members.demand_no_more();
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
  if (answer.refused != Refusal::none) return format_refusal(answer);
  require(!answer.states.empty(), "an answer holds at least one state");
  const std::size_t n = answer.states.front().position.size();
  const AnswerShape shape{n, answer.states.size(), answer.accelerations.size() > 0,
                          answer.jerk.size() > 0};
  std::string message = line_of({{"answer", answer.id},
                                 {"n", n},
                                 {"states", shape.states},
                                 {"accelerations", shape.accelerations},
                                 {"jerk", shape.jerk}});
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
