#include "simulator/viewer_link.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <nlohmann/json.hpp>
#include <utility>

#include "simulator/messages.hpp"
#include "simulator/socket.hpp"

namespace nbody {

namespace {

constexpr std::chrono::seconds last_patience(5);  // with a viewer that does not read

std::string taken_from_environment(const char* variable) {
  const char* const value = std::getenv(variable);
  const std::string text = value == nullptr ? "" : value;
  ::unsetenv(variable);
  return text;
}

}  // namespace

ViewerLink::ViewerLink() {
  if (const std::string wish = taken_from_environment(wish_variable); !wish.empty())
    understand(wish);
  try {
    const std::string path = taken_from_environment(viewer_variable);
    if (!path.empty()) socket_ = connected_to(path);
  } catch (const std::exception& fault) {
    if (wish_.owns) throw;
    fmt::print(stderr, "nobody watches this run: {}\n", fault.what());
  }
  if (is_open()) std::signal(SIGPIPE, SIG_IGN);  // the viewer may go away: write() then fails
}

ViewerLink::~ViewerLink() { close(); }

// A thread that writes fails when the connection is shut down.
void ViewerLink::close() {
  if (is_open()) ::shutdown(socket_.number(), SHUT_RDWR);
  if (writer_.valid()) writer_.wait();
  socket_.close();
}

void ViewerLink::listen(double patience_s) {
  if (!is_open()) return;
  pollfd news = {socket_.number(), POLLIN, 0};
  int patience_ms = static_cast<int>(1000 * patience_s);
  while (::poll(&news, 1, patience_ms) > 0) {
    std::array<char, 4096> bytes;
    const ssize_t count = ::recv(socket_.number(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (count <= 0) return close();
    unread_.append(bytes.data(), static_cast<std::size_t>(count));
    patience_ms = 0;
    for (auto end = unread_.find('\n'); end != unread_.npos; end = unread_.find('\n')) {
      const std::string line = unread_.substr(0, end);
      unread_.erase(0, end + 1);
      try {
        understand(line);
      } catch (const std::exception&) {
        return close();  // no viewer of this lab
      }
    }
    if (unread_.size() > max_header_size) return close();
  }
}

void ViewerLink::understand(const std::string& line) {
  const auto json = nlohmann::json::parse(line);
  Wish wish;
  json.at("paused").get_to(wish.paused);
  json.at("steps").get_to(wish.steps);
  json.at("rate").get_to(wish.rate);
  json.at("accelerations").get_to(wish.accelerations);
  json.at("energy").get_to(wish.energy);
  json.at("owns").get_to(wish.owns);
  json.at("seen").get_to(wish.seen);
  wish_ = wish;
}

void ViewerLink::send_state(std::string message) {
  ++states_;
  send(std::move(message));
}

void ViewerLink::finish(std::string message) {
  const auto has_written = [this] {
    return !writer_.valid() || writer_.wait_for(last_patience) == std::future_status::ready;
  };
  if (has_written()) {
    send(std::move(message));
    has_written();
  }
  close();
}

void ViewerLink::send(std::string message) {
  if (!is_open()) return;
  if (writer_.valid()) writer_.wait();
  writer_ = std::async(std::launch::async, [this, message = std::move(message)] {
    try {
      write_fully(socket_, message);
    } catch (const std::exception&) {
      ::shutdown(socket_.number(), SHUT_RDWR);  // half a message is worse than none
    }
  });
}

std::string viewer_message(const std::string& header,
                           const std::vector<const std::vector<float>*>& columns) {
  std::string message = header;
  message.append(3 - message.size() % 4, ' ');
  message += '\n';
  for (const auto* column : columns) {
    message.append(reinterpret_cast<const char*>(column->data()), sizeof(float) * column->size());
  }
  return message;
}

}  // namespace nbody
