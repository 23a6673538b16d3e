#include "simulator/messages.hpp"

#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

namespace nbody {

using nlohmann::json;

static void to_json(json& value, Precision precision) { value = name_of(precision); }
static void from_json(const json& value, Precision& precision) {
  precision = precision_named(value.get<std::string>());
}
NLOHMANN_JSON_SERIALIZE_ENUM(Refusal, {{Refusal::failed, "failed"},  // also for another word
                                       {Refusal::unsupported, "unsupported"}})
// What a header holds beside its number, of the protocol or of the request.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Hello, part, name, precision, instruction_set, ranks)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Request, steps, adaptive, every_state, accelerations, threads)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Setting, G, softening, dt, dt_floor, integrator, damping)

namespace {

static_assert(std::endian::native == std::endian::little, "columns are copied as they are");

// Whatever is wrong with a header, its reader says in the library's words.
template <typename Read>
auto parse(std::string_view header, const Read& read) {
  try {
    return read(json::parse(header));
  } catch (const std::exception& fault) {
    throw ProtocolError(std::string(fault.what()) + ": " + std::string(header.substr(0, 60)));
  }
}

// In ASCII. Doubles have as many digits as bring back the same double.
std::string line_of(const json& header) {
  return header.dump(-1, ' ', true, json::error_handler_t::replace) + "\n";
}

void append(std::string& message, std::span<const double> column) {
  message.append(reinterpret_cast<const char*>(column.data()), column.size_bytes());
}

// Each column of an answer.
template <typename AnyAnswer, typename Use>
void for_columns(AnyAnswer& answer, const Use& use) {
  const auto use_axes = [&](auto& vectors) { use(vectors.x), use(vectors.y), use(vectors.z); };
  for (auto& state : answer.states) {
    use(std::span(&state.time, 1));
    use_axes(state.position);
    use_axes(state.velocity);
  }
  use_axes(answer.accelerations);
}

}  // namespace

Precision precision_named(const std::string& text) {
  for (const Precision one : {Precision::single_precision, Precision::double_precision}) {
    if (text == name_of(one)) return one;
  }
  throw InputError("the precision is float or double, not '" + text + "'");
}

std::string format_hello(const Hello& hello) {
  json header = hello;
  header["protocol"] = protocol_version;
  return line_of(header);
}

Hello parse_hello(std::string_view line) {
  return parse(line, [](const json& header) {
    const json& version = header.at("protocol");
    if (version != protocol_version) {
      throw ProtocolError("it speaks version " + version.dump() + " of the protocol, where " +
                          std::to_string(protocol_version) + " is needed: build it again");
    }
    return header.get<Hello>();
  });
}

std::string format_request_header(const Request& request, std::uint64_t id) {
  json header = request;
  to_json(header, request.setting);
  header["request"] = id;
  header["n"] = request.bodies.size();
  return line_of(header);
}

std::string format_request(const Request& request, std::uint64_t id) {
  std::string message = format_request_header(request, id);
  message.reserve(message.size() + sizeof(double) * 7 * request.bodies.size());
  for (const auto* column : columns_of(request.bodies)) append(message, *column);
  return message;
}

NumberedRequest parse_request_header(std::string_view line) {
  return parse(line, [](const json& header) {
    NumberedRequest asked{header.at("request"), header.get<Request>()};
    header.get_to(asked.request.setting);
    asked.request.bodies.resize(header.at("n"));
    return asked;
  });
}

std::uint64_t answer_columns_size(const Request& request) {
  const std::uint64_t n = request.bodies.size();
  return sizeof(double) * (request.states() * (1 + 6 * n) + (request.accelerations ? 3 * n : 0));
}

std::string format_answer(const Answer& answer, std::uint64_t id) {
  std::string message = line_of({{"request", id}});
  for_columns(answer, [&](std::span<const double> column) { append(message, column); });
  return message;
}

std::string format_refusal(Refusal why, std::string_view text, std::uint64_t id) {
  return line_of(
      {{"request", id}, {"refused", why}, {"text", std::string(text.substr(0, max_refusal_size))}});
}

AnswerHeader parse_answer_header(std::string_view line) {
  return parse(line, [](const json& header) {
    AnswerHeader read{header.at("request"), Refusal::none, ""};
    if (header.contains("refused")) {
      header.at("refused").get_to(read.refused);
      header.at("text").get_to(read.text);
    }
    return read;
  });
}

Answer parse_answer(const Request& request, std::string_view columns) {
  const std::size_t n = request.bodies.size();
  State state;
  for (auto* vectors : {&state.position, &state.velocity}) vectors->resize(n);
  Answer answer{std::vector<State>(request.states(), state), {}};
  if (request.accelerations) answer.accelerations.resize(n);
  for_columns(answer, [&](std::span<double> column) {
    if (column.empty()) return;  // memcpy takes no null pointer
    std::memcpy(column.data(), columns.data(), column.size_bytes());
    columns.remove_prefix(column.size_bytes());
  });
  return answer;
}

}  // namespace nbody
