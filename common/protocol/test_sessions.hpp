#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "protocol/session.hpp"
#include "protocol/test_messages.hpp"

namespace nbody::protocol {

// Beside the test.
inline std::string fake_server() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "fake_server";
}

inline Session session_with(const std::string& behaviour) {
  return Session(fake_server(), {behaviour});
}

struct Failure {
  SessionError::Kind kind;
  std::string message;
};

// Without a fault, a text that fails the test.
inline Failure failure_of(Session& session, const Request& request = small_request(),
                          double timeout_s = 30) {
  try {
    session.ask(request, timeout_s);
  } catch (const SessionError& fault) {
    return {fault.kind, fault.what()};
  }
  return {SessionError::Kind::refused, "NOTHING WENT WRONG"};
}

}  // namespace nbody::protocol
