#pragma once

#include <cstddef>
#include <string_view>

#include "protocol/little_endian.hpp"
#include "protocol/messages.hpp"

namespace nbody::protocol {

// What the messages share; for the files of this room only.

inline constexpr std::string_view frame_magic = "NBODYLAB";

// A writer for the whole frame with the header already in it.
MessageWriter start_frame(const FrameHeader& header);

// These throw ProtocolError for values that are invalid in this or any message.
void demand_kind(const FrameHeader& header, FrameHeader::Kind kind);
Precision parse_precision(std::uint32_t bytes_per_number);
inline constexpr std::uint32_t max_ranks = 65536;
void check_ranks(std::uint32_t ranks);
// Throws ProtocolError unless 1 <= n <= max_bodies.
void check_number_of_bodies(std::uint64_t n);
// Throws ProtocolError unless the header states this size and that many bytes are there.
void check_payload_size(const FrameHeader& header, std::string_view payload, std::uint64_t size);

}  // namespace nbody::protocol
