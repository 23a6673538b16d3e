#include "protocol/message_property.hpp"

#include "protocol/messages.hpp"

namespace nbody::protocol {
namespace {

template <auto parse, auto format>
std::string rewritten(std::string_view bytes) {
  const FrameHeader header = parse_header(bytes.substr(0, frame_header_size));
  return format(parse(header, bytes.substr(frame_header_size)));
}

std::string format_with_its_id(const Request& request) { return format_request(request); }

}  // namespace

const MessageKind message_kinds[3] = {
    {"hello", rewritten<parse_hello, format_hello>},
    {"request", rewritten<parse_request, format_with_its_id>},
    {"answer", rewritten<parse_answer, format_answer>},
};

const char* broken_property(const MessageKind& kind, std::string_view bytes) {
  try {
    return kind.rewritten(bytes) == bytes ? nullptr
                                          : "a message changes when it is read and written";
  } catch (const ProtocolError& fault) {
    return std::string_view(fault.what()).empty() ? "a fault without a reason" : nullptr;
  }
}

bool is_message(const MessageKind& kind, std::string_view bytes) {
  try {
    kind.rewritten(bytes);
    return true;
  } catch (const ProtocolError&) {
    return false;
  }
}

}  // namespace nbody::protocol
