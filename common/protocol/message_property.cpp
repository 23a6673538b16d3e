#include "protocol/message_property.hpp"

#include <string>

#include "protocol/messages.hpp"

namespace nbody {
namespace {

std::string rewritten_request(std::string_view bytes) {
  const FrameHeader header = parse_header(bytes.substr(0, frame_header_size));
  return format_request(parse_request(header, bytes.substr(frame_header_size)));
}

std::string rewritten_answer(std::string_view bytes) {
  const FrameHeader header = parse_header(bytes.substr(0, frame_header_size));
  return format_answer(parse_answer(header, bytes.substr(frame_header_size)));
}

const char* broken_property(std::string (*rewritten)(std::string_view), std::string_view bytes) {
  try {
    return rewritten(bytes) == bytes ? nullptr : "a message changes when it is read and written";
  } catch (const ProtocolError& fault) {
    return std::string_view(fault.what()).empty() ? "a fault without a reason" : nullptr;
  }
}

bool is_message(std::string (*rewritten)(std::string_view), std::string_view bytes) {
  try {
    rewritten(bytes);
    return true;
  } catch (const ProtocolError&) {
    return false;
  }
}

}  // namespace

const char* broken_request_property(std::string_view bytes) {
  return broken_property(rewritten_request, bytes);
}
const char* broken_answer_property(std::string_view bytes) {
  return broken_property(rewritten_answer, bytes);
}
bool is_request(std::string_view bytes) { return is_message(rewritten_request, bytes); }
bool is_answer(std::string_view bytes) { return is_message(rewritten_answer, bytes); }

}  // namespace nbody
