#include "protocol/receive_buffer.hpp"

#include <fmt/core.h>

#include "protocol/frame.hpp"

namespace nbody::protocol {

bool ReceiveBuffer::holds_hello() {
  look_for_magic("hello");
  if (!header_ && bytes_.size() >= frame_header_size) {
    header_ = parse_header(std::string_view(bytes_).substr(0, frame_header_size));
    demand_kind(*header_, FrameHeader::Kind::hello);
    require(header_->payload_size == hello_size, "its hello has {} bytes where {} were expected",
            header_->payload_size, hello_size);
  }
  return is_complete();
}

bool ReceiveBuffer::holds_answer(const PendingRequest& asked) {
  look_for_magic("answer");
  if (!header_ && bytes_.size() >= frame_header_size) {
    header_ = parse_header(std::string_view(bytes_).substr(0, frame_header_size));
    inspect_header(asked);
  }
  if (!header_) return false;
  const bool is_answer = header_->kind == FrameHeader::Kind::answer;
  if (is_answer && !shape_seen_ && bytes_.size() >= frame_header_size + answer_shape_size) {
    inspect_shape(asked);
    shape_seen_ = true;
  }
  return is_complete();
}

std::string_view ReceiveBuffer::payload() const {
  return std::string_view(bytes_).substr(frame_header_size, header_->payload_size);
}

void ReceiveBuffer::take_frame() {
  const std::size_t size = frame_header_size + header_->payload_size;
  taken_ += size;
  bytes_ = bytes_.substr(size);  // which also frees the memory
  header_.reset();
  shape_seen_ = false;
}

std::string ReceiveBuffer::progress(const char* what) const {
  if (header_) {
    return fmt::format(" after {} of {} bytes of its {}", bytes_.size(),
                       frame_header_size + header_->payload_size, what);
  }
  return fmt::format(" after {} bytes of its {}", bytes_.size(), what);
}

void ReceiveBuffer::look_for_magic(const char* what) const {
  const std::string_view start = std::string_view(bytes_).substr(0, frame_magic.size());
  // Asked after each piece that arrives: nothing else may be searched while all is well.
  if (start == frame_magic.substr(0, start.size())) return;
  const std::string_view first_line = std::string_view(bytes_).substr(0, bytes_.find('\n'));
  throw ProtocolError(
      fmt::format("what it sent is not a valid {}: \"{}\"", what, safe_line(first_line, 60)));
}

void ReceiveBuffer::inspect_header(const PendingRequest& asked) const {
  require(header_->kind != FrameHeader::Kind::hello, "it said hello twice");
  require(header_->id == asked.id, "answered request {} when asked {}{}", header_->id, asked.id,
          header_->id < asked.id ? ": an answer to an earlier request" : "");
  // A refusal may come early, for a request with a bad header.
  if (is_refusal(*header_)) {
    require(header_->payload_size <= max_refusal_size,
            "its refusal has {} bytes, at most {} are allowed", header_->payload_size,
            max_refusal_size);
    return;
  }
  require(header_->kind == FrameHeader::Kind::answer, "answered with a request");
  require(asked.sent == asked.size && taken_ >= asked.received_before,
          "answered before it had the whole request");
  require(header_->payload_size >= answer_shape_size, "its answer has only {} bytes",
          header_->payload_size);
}

void ReceiveBuffer::inspect_shape(const PendingRequest& asked) const {
  const AnswerShape shape = parse_answer_shape(std::string_view(bytes_).substr(frame_header_size));
  const AnswerShape& wanted = asked.shape;
  const auto demand_vectors = [](const char* what, bool sent, bool asked_for) {
    require(!sent || asked_for, "sent {} that were not asked for", what);
    require(sent || !asked_for, "sent no {} though they were asked for", what);
  };
  require(shape.bodies == wanted.bodies, "answered for {} bodies when asked for {}", shape.bodies,
          wanted.bodies);
  require(shape.states == wanted.states, "answered with {} states when asked for {}", shape.states,
          wanted.states);
  demand_vectors("accelerations", shape.accelerations, wanted.accelerations);
  demand_vectors("jerks", shape.jerk, wanted.jerk);
  const std::uint64_t size = answer_payload_size(shape);
  require(header_->payload_size == size, "its answer has {} bytes where {} were expected",
          header_->payload_size, size);
}

bool ReceiveBuffer::is_complete() const {
  return header_ && bytes_.size() >= frame_header_size + header_->payload_size;
}

}  // namespace nbody::protocol
