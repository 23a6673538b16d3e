#include "protocol/frame.hpp"

namespace nbody::protocol {
namespace {

constexpr std::uint32_t flag_of_accelerations = 1, flag_of_jerk = 2;

Vectors<double> parse_vectors(MessageReader& reader, std::size_t n) {
  Vectors<double> vectors;
  for (auto* column : {&vectors.x, &vectors.y, &vectors.z}) *column = reader.column(n);
  return vectors;
}

void write_vectors(MessageWriter& writer, const Vectors<double>& vectors, std::size_t n) {
  for (const auto* column : {&vectors.x, &vectors.y, &vectors.z}) {
    require(column->size() == n, "the columns of the answer differ in length");
    writer.column(*column);
  }
}

std::string format_refusal(const Answer& answer) {
  const std::string_view text = std::string_view(answer.error).substr(0, max_refusal_size);
  MessageWriter writer =
      start_frame({answer.unsupported ? FrameHeader::Kind::unsupported : FrameHeader::Kind::refusal,
                   answer.id, text.size()});
  writer.text(text);
  return writer.take();
}

Answer parse_refusal(const FrameHeader& header, std::string_view payload) {
  require(payload.size() >= 1 && payload.size() <= max_refusal_size,
          "a refusal has {} bytes of text, 1 to {} are allowed", payload.size(), max_refusal_size);
  check_payload_size(header, payload, payload.size());
  Answer answer;
  answer.id = header.id;
  answer.error = payload;
  answer.unsupported = header.kind == FrameHeader::Kind::unsupported;
  return answer;
}

}  // namespace

AnswerShape parse_answer_shape(std::string_view payload) {
  MessageReader reader(payload);
  const std::uint32_t flags = reader.u32();
  require((flags & ~(flag_of_accelerations | flag_of_jerk)) == 0,
          "flags of the answer are {:#x}: only the bits 0x3 have a meaning", flags);
  require(reader.u32() == 0, "the bytes 4 to 7 of an answer must be 0");
  AnswerShape shape{(flags & flag_of_accelerations) != 0, reader.u64(), reader.u64(),
                    (flags & flag_of_jerk) != 0};
  check_number_of_bodies(shape.bodies);
  require(shape.states >= 1, "an answer holds at least one state");
  return shape;
}

std::uint64_t answer_payload_size(const AnswerShape& shape) {
  check_number_of_bodies(shape.bodies);  // so that nothing below overflows
  const std::uint64_t vectors = (shape.accelerations ? 1 : 0) + (shape.jerk ? 1 : 0);
  const std::uint64_t rest = answer_shape_size + vectors * 3 * 8 * shape.bodies;
  const std::uint64_t state = 8 + 6 * 8 * shape.bodies;
  require(shape.states <= (max_payload_size - rest) / state,
          "{} states of {} bodies do not fit in one answer of {} bytes", shape.states, shape.bodies,
          max_payload_size);
  return rest + shape.states * state;
}

Answer parse_answer(const FrameHeader& header, std::string_view payload) {
  if (is_refusal(header)) return parse_refusal(header, payload);
  demand_kind(header, FrameHeader::Kind::answer);
  const AnswerShape shape = parse_answer_shape(payload);
  check_payload_size(header, payload, answer_payload_size(shape));
  MessageReader reader(payload.substr(answer_shape_size));
  Answer answer;
  answer.id = header.id;
  answer.states.resize(shape.states);
  for (State& state : answer.states) {
    state.time = reader.f64();
    state.position = parse_vectors(reader, shape.bodies);
    state.velocity = parse_vectors(reader, shape.bodies);
  }
  if (shape.accelerations) answer.accelerations = parse_vectors(reader, shape.bodies);
  if (shape.jerk) answer.jerk = parse_vectors(reader, shape.bodies);
  return answer;
}

std::string format_answer(const Answer& answer) {
  if (!answer.error.empty()) return format_refusal(answer);
  require(!answer.states.empty(), "an answer holds at least one state");
  const std::size_t n = answer.states.front().position.size();
  check_number_of_bodies(n);
  const AnswerShape shape{answer.accelerations.size() > 0, n, answer.states.size(),
                          answer.jerk.size() > 0};
  MessageWriter writer =
      start_frame({FrameHeader::Kind::answer, answer.id, answer_payload_size(shape)});
  writer.u32((shape.accelerations ? flag_of_accelerations : 0) | (shape.jerk ? flag_of_jerk : 0));
  writer.u32(0);
  writer.u64(shape.bodies);
  writer.u64(shape.states);
  for (const State& state : answer.states) {
    writer.f64(state.time);
    write_vectors(writer, state.position, n);
    write_vectors(writer, state.velocity, n);
  }
  if (shape.accelerations) write_vectors(writer, answer.accelerations, n);
  if (shape.jerk) write_vectors(writer, answer.jerk, n);
  return writer.take();
}

}  // namespace nbody::protocol
