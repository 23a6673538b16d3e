#include "protocol/viewer_link.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <csignal>
#include <exception>
#include <nlohmann/json.hpp>
#include <utility>

#include "protocol/messages.hpp"
#include "protocol/unix_socket.hpp"

namespace nbody::protocol {

ViewerLink::ViewerLink() : socket_(connect_to_viewer()) {
  if (!is_open()) return;
  std::signal(SIGPIPE, SIG_IGN);  // the viewer may go away: write() then fails
  const timeval patience = {5, 0};
  ::setsockopt(socket_.number(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
}

ViewerLink::~ViewerLink() { close(); }

// A thread that writes fails when the connection is shut down.
void ViewerLink::close() {
  if (is_open()) ::shutdown(socket_.number(), SHUT_RDWR);
  if (writer_.joinable()) writer_.join();
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

void ViewerLink::finish() {
  if (writer_.joinable()) writer_.join();
  close();
}

void ViewerLink::send(std::string message) {
  if (!is_open()) return;
  if (writer_.joinable()) writer_.join();
  writer_ = std::thread([this, message = std::move(message)] {
    try {
      write_fully(socket_, message);
    } catch (const std::exception&) {
      // The viewer has gone; listen() notices.
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

}  // namespace nbody::protocol
