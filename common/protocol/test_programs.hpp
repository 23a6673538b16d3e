#pragma once

#include <filesystem>
#include <string>

#include "protocol/messages.hpp"
#include "protocol/session.hpp"

namespace nbody::protocol {

// The programs of test_servers/ are beside the test.
inline std::filesystem::path test_program(const std::string& name) {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / name;
}

struct Failure {
  SessionError::Kind kind;
  std::string message;
};

// The fault when the request is sent; without one, a text that fails the test.
inline Failure failure_of(Session& session, const Request& request, double timeout_s = 30) {
  try {
    session.ask(request, timeout_s);
  } catch (const SessionError& fault) {
    return {fault.kind, fault.what()};
  }
  return {SessionError::Kind::refused, "NOTHING WENT WRONG"};
}

// n bodies on a line: cheap to make, big to send.
inline Request long_request(std::size_t n) {
  Request request;
  request.bodies.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    request.bodies.mass[i] = 1;
    request.bodies.qx[i] = static_cast<double>(i);
  }
  return request;
}

}  // namespace nbody::protocol
