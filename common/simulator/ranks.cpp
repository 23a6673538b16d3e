#include "simulator/ranks.hpp"

#include <string>

namespace nbody {

Request of_rank_0(const Request& request) {
  if (all_ranks == nullptr) return request;
  std::string message = is_rank_0() ? format_request(request) : "";
  message.resize(of_rank_0(message.size()));
  all_ranks->share(message.data(), message.size());
  return is_rank_0() ? request : parse_request(message);
}

}  // namespace nbody
