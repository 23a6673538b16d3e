#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "session/session.hpp"
#include "simulator/test_messages.hpp"

namespace nbody {

// Beside the test.
inline std::string bad_program() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "bad_program";
}

inline Session session_with(const std::string& fault) { return Session(bad_program(), {fault}); }

// Without a word: it answered.
inline SessionError fault_of(Session& session, const Request& request = test_request(),
                             double timeout_s = 30) {
  try {
    EXPECT_EQ(session.ask(request, timeout_s), test_answer(request));
  } catch (const SessionError& fault) {
    return fault;
  }
  return SessionError(SessionError::Kind::refused, "");
}
inline std::string said_by(Session& session) { return fault_of(session).what(); }

// Within half a minute.
template <typename Condition>
bool comes_true(Condition condition) {
  for (int k = 0; k < 3000 && !condition(); ++k) ::usleep(10000);
  return condition();
}

}  // namespace nbody
