#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/child_process.hpp"
#include "protocol/messages.hpp"

namespace nbody::protocol {

// A pending request, and the expected shape of its answer.
struct PendingRequest {
  std::uint64_t id;
  AnswerShape shape;
  std::string bytes;  // empty when sent
  std::size_t size = bytes.size();
  std::size_t sent = 0;
  Clock::time_point sent_at = {};
  std::uint64_t received_before = 0;  // bytes that had arrived when its last byte was sent
};

// What a program has sent and was not consumed yet, from the start of a frame. It is checked as it
// arrives: a wrong length or count must not make us collect gigabytes.
class ReceiveBuffer {
 public:
  void add(std::string_view bytes) { bytes_ += bytes; }
  // Bytes received in all.
  std::uint64_t total() const { return taken_ + bytes_.size(); }
  bool is_empty() const { return bytes_.empty(); }

  // Is the frame complete? Both throw a ProtocolError as soon as they see that it is no hello, or
  // no answer to this request.
  bool holds_hello();
  bool holds_answer(const PendingRequest& asked);

  // Of a complete frame.
  const FrameHeader& header() const { return *header_; }
  std::string_view payload() const;
  void take_frame();  // the next one begins after it

  std::string progress(const char* what) const;  // " after 12 of 200 bytes of its answer"

 private:
  void look_for_magic(const char* what) const;
  void inspect_header(const PendingRequest& asked) const;
  void inspect_shape(const PendingRequest& asked) const;
  bool is_complete() const;

  std::string bytes_;
  std::uint64_t taken_ = 0;
  std::optional<FrameHeader> header_;
  bool shape_seen_ = false;
};

}  // namespace nbody::protocol
