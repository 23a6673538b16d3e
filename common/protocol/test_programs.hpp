#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <string>

#include "protocol/session.hpp"
#include "protocol/test_messages.hpp"

namespace nbody::protocol {

inline constexpr Transport transports[] = {Transport::pipe, Transport::unix_socket};

// The programs of test_servers/ are beside the test.
inline std::filesystem::path test_program(const std::string& name) {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / name;
}

inline Session session_with(const std::string& handler, Transport transport = Transport::pipe) {
  return Session(test_program("handler_server"), {handler}, {.transport = transport});
}

struct Failure {
  SessionError::Kind kind;
  std::string message;
};

// Without a fault, a text that fails the test.
template <typename Action>
Failure failure_of(Action action) {
  try {
    action();
  } catch (const SessionError& fault) {
    return {fault.kind, fault.what()};
  }
  return {SessionError::Kind::refused, "NOTHING WENT WRONG"};
}

inline Failure failure_of(Session& session, const Request& request, double timeout_s = 30) {
  return failure_of([&] { session.ask(request, timeout_s); });
}

inline void expect_failure(Session& session, SessionError::Kind kind, const std::string& message,
                           const Request& request = small_request()) {
  const auto start = std::chrono::steady_clock::now();
  const Failure failure = failure_of(session, request);
  EXPECT_EQ(failure.kind, kind) << failure.message;
  EXPECT_EQ(failure.message, message);
  // Of 30 s that an answer may take.
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

// Of broken_server.
inline void expect_fault(const std::string& fault, SessionError::Kind kind,
                         const std::string& message, const Request& request = small_request()) {
  for (const Transport transport : transports) {
    SCOPED_TRACE(fault + (transport == Transport::pipe ? " by a pipe" : " by a socket"));
    Session session(test_program("broken_server"), {fault}, {.transport = transport});
    expect_failure(session, kind, message, request);
  }
}

// Of handler_server; started again after the first.
inline void expect_handler_failure(const std::string& handler, SessionError::Kind kind,
                                   const std::string& message) {
  for (const Transport transport : transports) {
    SCOPED_TRACE(handler + (transport == Transport::pipe ? " by a pipe" : " by a socket"));
    Session session = session_with(handler, transport);
    expect_failure(session, kind, message);
    expect_failure(session, kind, message);
  }
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
