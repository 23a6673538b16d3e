#pragma once

#include <string>
#include <string_view>

namespace nbody::protocol {

// A kind of message: reads it from bytes and writes it again. Throws ProtocolError.
struct MessageKind {
  const char* name;
  std::string (*rewritten)(std::string_view bytes);
};
extern const MessageKind message_kinds[3];  // hello, request, answer

// A property of any bytes: they are refused with a ProtocolError, or writing what was read gives
// the same bytes. Null if it holds, else what is wrong. Shared by the fuzzer and a test over the
// corpus.
const char* broken_property(const MessageKind& kind, std::string_view bytes);

bool is_message(const MessageKind& kind, std::string_view bytes);

}  // namespace nbody::protocol
