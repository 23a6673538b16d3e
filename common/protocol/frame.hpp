#pragma once

#include <cstddef>
#include <string_view>

#include "protocol/little_endian.hpp"
#include "protocol/messages.hpp"

namespace nbody {

// What requests and answers share; for the files of this room only.

inline constexpr std::string_view frame_magic = "NBODYLAB";

// A writer for the whole frame with the header already in it.
MessageWriter start_frame(const FrameHeader& header);

// Throws ProtocolError unless 1 <= n <= max_bodies.
void check_number_of_bodies(std::uint64_t n);
// Throws ProtocolError unless the header states this size and that many bytes are there.
void check_payload_size(const FrameHeader& header, std::string_view payload, std::uint64_t size);

}  // namespace nbody
