#pragma once

#include <string>
#include <string_view>

#include "protocol/messages.hpp"

namespace nbody::protocol {

// A kind of message: reads it from bytes and writes it again. Throws ProtocolError.
struct MessageKind {
  const char* name;
  std::string (*rewritten)(std::string_view bytes);
};

// Header and payload in one string, as they travel.
template <auto parse>
auto parse_frame(std::string_view bytes) {
  const FrameHeader header = parse_header(bytes.substr(0, frame_header_size));
  return parse(header, bytes.substr(frame_header_size));
}

template <auto parse, auto format>
std::string rewritten(std::string_view bytes) {
  return format(parse_frame<parse>(bytes));
}

inline std::string format_with_its_id(const Request& request) { return format_request(request); }

inline constexpr MessageKind message_kinds[] = {
    {"hello", rewritten<parse_hello, format_hello>},
    {"request", rewritten<parse_request, format_with_its_id>},
    {"answer", rewritten<parse_answer, format_answer>},
};

// A property of any bytes: they are refused with a ProtocolError, or writing what was read gives
// the same bytes. Null if it holds, else what is wrong. Shared by the fuzzer and a test over the
// corpus.
inline const char* broken_property(const MessageKind& kind, std::string_view bytes) {
  try {
    return kind.rewritten(bytes) == bytes ? nullptr
                                          : "a message changes when it is read and written";
  } catch (const ProtocolError& fault) {
    return std::string_view(fault.what()).empty() ? "a fault without a reason" : nullptr;
  }
}

inline bool is_message(const MessageKind& kind, std::string_view bytes) {
  try {
    kind.rewritten(bytes);
    return true;
  } catch (const ProtocolError&) {
    return false;
  }
}

}  // namespace nbody::protocol
