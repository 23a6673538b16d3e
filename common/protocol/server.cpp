#include "protocol/server.hpp"

#include <fcntl.h>
#include <fmt/core.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "protocol/descriptor.hpp"
#include "protocol/frame.hpp"
#include "protocol/unix_socket.hpp"

namespace nbody::protocol {
namespace {

struct Channel {
  Descriptor requests, answers;
};

// Far from the small numbers of a program's own files, unless few descriptors are allowed.
Descriptor moved_away(int descriptor) {
  for (const int lowest : {100, 3}) {
    const int moved = ::fcntl(descriptor, F_DUPFD_CLOEXEC, lowest);
    if (moved >= 0) return Descriptor(moved);
  }
  throw_system_error("cannot serve: standard input or output is not open");
}

Channel claim_standard_streams() {
  Channel channel{moved_away(STDIN_FILENO), moved_away(STDOUT_FILENO)};
  const Descriptor nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  if (!nothing.is_open()) throw_system_error("cannot open /dev/null");
  ::dup2(nothing.number(), STDIN_FILENO);
  if (::dup2(STDERR_FILENO, STDOUT_FILENO) < 0) ::dup2(nothing.number(), STDOUT_FILENO);
  return channel;
}

Channel open_channel() {
  const char* path = std::getenv(socket_variable);
  if (path == nullptr || *path == 0) return claim_standard_streams();
  Descriptor connection = connect_to(path);
  ::unsetenv(socket_variable);  // the simulator's children must not inherit it
  Descriptor requests = duplicate(connection);
  return {std::move(requests), std::move(connection)};
}

Answer refusal(std::uint64_t id, const std::string& reason) {
  Answer answer;
  answer.id = id;
  answer.error = reason.empty() ? "the simulator failed and gave no reason" : reason;
  return answer;
}

Request read_request(const Channel& channel, const FrameHeader& header) {
  // Before reading the payload: is it a request at all?
  demand_kind(header, FrameHeader::Kind::request);
  const std::string payload = read_up_to(channel.requests, header.payload_size);
  if (payload.size() < header.payload_size) {
    throw ProtocolError(fmt::format("the input ended after {} of {} bytes of a request",
                                    payload.size(), header.payload_size));
  }
  return parse_request(header, payload);
}

// The bytes of the answer, or of a refusal, also if the answer cannot be sent.
std::string reply(const std::function<Answer(const Request&)>& handler, const Request& request) {
  try {
    Answer answer = handler(request);
    answer.id = request.id;
    return format_answer(answer);
  } catch (const Unsupported& lacking) {
    Answer answer = refusal(request.id, lacking.what());
    answer.unsupported = true;
    return format_answer(answer);
  } catch (const std::exception& fault) {
    return format_answer(refusal(request.id, fault.what()));
  } catch (...) {
    return format_answer(refusal(request.id, ""));
  }
}

// False at the end of the input.
bool serve_one(const Channel& channel, const std::function<Answer(const Request&)>& handler) {
  const std::string head = read_up_to(channel.requests, frame_header_size);
  if (head.empty()) return false;
  const FrameHeader header = parse_header(head);
  Request request;
  try {
    request = read_request(channel, header);
  } catch (const ProtocolError& fault) {
    write_fully(channel.answers, format_answer(refusal(header.id, fault.what())));
    throw;
  }
  write_fully(channel.answers, reply(handler, request));
  return true;
}

}  // namespace

int serve(const Hello& hello, const std::function<Answer(const Request&)>& handler) {
  try {
    const Channel channel = open_channel();
    // The client may go away: write() then fails, which is enough.
    std::signal(SIGPIPE, SIG_IGN);
    write_fully(channel.answers, format_hello(hello));
    while (serve_one(channel, handler)) {
    }
    return 0;
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "--serve: %s\n", fault.what());
    return 2;
  }
}

}  // namespace nbody::protocol
