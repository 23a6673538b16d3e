#pragma once

#include <string>
#include <string_view>

namespace nbody {

// A kind of message: what is read from bytes, written again. Throws ProtocolError.
struct MessageKind {
  const char* name;
  std::string (*rewritten)(std::string_view bytes);
};
extern const MessageKind message_kinds[3];  // hello, request, answer

// What must hold for any bytes at all: they are refused with a ProtocolError, or they are exactly
// what is written for what was read. Null when it holds, else what is wrong. The fuzzer and a test
// over the corpus share this.
const char* broken_property(const MessageKind& kind, std::string_view bytes);

bool is_message(const MessageKind& kind, std::string_view bytes);

}  // namespace nbody
