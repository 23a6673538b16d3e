#include "protocol/frame.hpp"

namespace nbody::protocol {
namespace {

constexpr std::uint32_t flag_has_jerk = 1;

}  // namespace

Hello parse_hello(const FrameHeader& header, std::string_view payload) {
  demand_kind(header, FrameHeader::Kind::hello);
  require(header.id == 0, "the id of a hello must be 0");
  check_payload_size(header, payload, hello_size);
  MessageReader reader(payload);
  Hello hello;
  hello.precision = parse_precision(reader.u32());
  const std::uint32_t flags = reader.u32();
  require((flags & ~flag_has_jerk) == 0, "flags of the hello are {:#x}: only bit 0 has a meaning",
          flags);
  hello.has_jerk = flags != 0;
  hello.ranks = reader.u32();
  check_ranks(hello.ranks);
  require(hello.ranks >= 1, "the hello names 0 ranks, and a program has at least 1");
  require(reader.u32() == 0, "the bytes 12 to 15 of a hello must be 0");
  for (auto* name : {&hello.part, &hello.name, &hello.instruction_set}) *name = reader.name();
  return hello;
}

std::string format_hello(const Hello& hello) {
  MessageWriter writer = start_frame({FrameHeader::Kind::hello, 0, hello_size});
  writer.u32(static_cast<std::uint32_t>(hello.precision));
  writer.u32(hello.has_jerk ? flag_has_jerk : 0);
  writer.u32(hello.ranks);
  writer.u32(0);
  for (const auto* name : {&hello.part, &hello.name, &hello.instruction_set}) writer.name(*name);
  return writer.take();
}

}  // namespace nbody::protocol
