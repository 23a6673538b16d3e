#include "protocol/server.hpp"

#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <utility>

#include "protocol/keep_memory.hpp"
#include "protocol/require.hpp"
#include "protocol/unix_socket.hpp"

namespace nbody::protocol {
namespace {

std::string refusal(std::uint64_t id, Refusal code, const std::string& reason) {
  Answer answer;
  answer.id = id;
  answer.refused = code;
  answer.error = reason.empty() ? "the simulator failed and gave no reason" : reason;
  return format_answer(answer);
}

// The bytes of the answer, or of a refusal, also if the answer cannot be sent.
std::string reply(const std::function<Answer(const Request&)>& handler, const Request& request) {
  try {
    Answer answer = handler(request);
    answer.id = request.id;
    return format_answer(answer);
  } catch (const Unsupported& lacking) {
    return refusal(request.id, Refusal::unsupported, lacking.what());
  } catch (const std::exception& fault) {
    return refusal(request.id, Refusal::failed, fault.what());
  } catch (...) {
    return refusal(request.id, Refusal::failed, "");
  }
}

}  // namespace

Connection::Connection() : socket_(connect_as_environment_says()) {
  // The asker may go away: write() then fails, which is enough.
  std::signal(SIGPIPE, SIG_IGN);
}

std::optional<Request> Connection::receive() const {
  std::string header = read_line(socket_, max_header_size);
  if (header.empty()) return std::nullopt;
  try {
    require(header.back() == '\n',
            "the input ended, or {} bytes came, without an end of the header", max_header_size);
    header.pop_back();
    return receive_after(header);
  } catch (const ProtocolError& fault) {
    const std::uint64_t id = request_id(header);
    if (id > 0) send(refusal(id, Refusal::failed, fault.what()));
    throw;
  }
}

Request Connection::receive_after(std::string_view header) const {
  RequestHeader request = parse_request_header(header);
  const std::uint64_t size = columns_size(request);
  const std::string columns = read_up_to(socket_, size);
  require(columns.size() == size, "the input ended after {} of {} bytes of columns", columns.size(),
          size);
  return parse_request(std::move(request), columns);
}

int serve(const Hello& hello, const std::function<Answer(const Request&)>& handler) {
  keep_memory();
  try {
    const Connection connection;
    connection.send(format_hello(hello));
    while (const std::optional<Request> request = connection.receive()) {
      connection.send(reply(handler, *request));
    }
    return 0;
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "--serve: %s\n", fault.what());
    return 2;
  }
}

}  // namespace nbody::protocol
