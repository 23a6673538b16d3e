#pragma once

#include <string_view>

namespace nbody {

// What must hold for any bytes at all: they are refused with a ProtocolError, or they are exactly
// what is written for what was read. Null when it holds, else what is wrong. Fuzzers and a test
// over the corpus share these.
const char* broken_request_property(std::string_view bytes);
const char* broken_answer_property(std::string_view bytes);

// The bytes are a message of that kind.
bool is_request(std::string_view bytes);
bool is_answer(std::string_view bytes);

}  // namespace nbody
