#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

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

// Within half a minute.
template <typename Condition>
bool comes_true(Condition condition) {
  for (int k = 0; k < 3000 && !condition(); ++k) ::usleep(10000);
  return condition();
}

struct Failure {
  SessionError::Kind kind;
  std::string message;
};

inline const std::string nothing_wrong = "NOTHING WENT WRONG";

inline Failure failure_of(Session& session, const Request& request = small_request(),
                          double timeout_s = 30) {
  try {
    session.ask(request, timeout_s);
  } catch (const SessionError& fault) {
    return {fault.kind, fault.what()};
  }
  return {SessionError::Kind::refused, nothing_wrong};
}

}  // namespace nbody::protocol
