#pragma once

#include <cstdint>
#include <future>
#include <string>
#include <vector>

#include "simulator/socket.hpp"

namespace nbody {

// A program that simulates finds in this variable the path of a viewer's socket, if somebody
// watches; and in the other what the viewer wants at first: whose the run is cannot wait.
inline constexpr const char* viewer_variable = "LAB_VIEWER";
inline constexpr const char* wish_variable = "LAB_VIEWER_WISH";

// What the viewer of a run wants: the last line that it sent. docs/protocol.md describes the
// messages.
struct Wish {
  bool paused = false;
  std::uint64_t steps = 0;     // taken one by one while it was paused, since the start
  double rate = 0;             // iterations per second; 0: as fast as possible
  bool accelerations = false;  // instead of speeds
  bool energy = false;         // with every state, also if that is not cheap
  bool owns = false;           // without its viewer the run has no purpose: it ends
  std::uint64_t seen = 0;      // states: the next is sent when the viewer has seen the last
};

// A run's connection to its viewer. It sends states in a thread, so that computing never waits for
// a slow viewer.
class ViewerLink {
 public:
  // To the socket in the environment; closed if nobody watches, or if the viewer of a run that it
  // does not own cannot be reached, of which standard error tells.
  ViewerLink();
  ~ViewerLink();
  ViewerLink(const ViewerLink&) = delete;
  ViewerLink& operator=(const ViewerLink&) = delete;

  bool is_open() const { return socket_.is_open(); }
  // Waits so long for news, and reads all that came. Closes the link when the viewer has gone.
  void listen(double patience_s);
  const Wish& wish() const { return wish_; }

  // Whether the viewer has seen all states that were sent.
  bool is_ready() const { return is_open() && wish_.seen == states_; }
  // The greeting, and then states: these when it is_ready(), so that nothing waits here.
  void greet(std::string message) { send(std::move(message)); }
  void send_state(std::string message);
  // The last message, and the end. A viewer that does not read is given some seconds.
  void finish(std::string message);

 private:
  void send(std::string message);
  void understand(const std::string& line);
  void close();

  Descriptor socket_;
  std::string unread_;
  Wish wish_;
  std::uint64_t states_ = 0;
  std::future<void> writer_;
};

// A header, blanks up to a multiple of 4 bytes with its end of line, and columns of floats.
std::string viewer_message(const std::string& header,
                           const std::vector<const std::vector<float>*>& columns);

}  // namespace nbody
