#include "simulator/ranks.hpp"

#include <string>
#include <string_view>

namespace nbody {

protocol::Request of_rank_0(const protocol::Request& request) {
  if (all_ranks == nullptr) return request;
  std::string message = is_rank_0() ? protocol::format_request(request) : "";
  message.resize(of_rank_0(message.size()));
  all_ranks->share(message.data(), message.size());
  if (is_rank_0()) return request;
  const std::string_view bytes = message;
  const std::size_t header = bytes.find('\n');
  return protocol::parse_request(protocol::parse_request_header(bytes.substr(0, header)),
                                 bytes.substr(header + 1));
}

}  // namespace nbody
