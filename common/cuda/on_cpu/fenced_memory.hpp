#pragma once

#include <cstddef>
#include <string>

// Memory that ends at a protected page: an index beyond the end stops the program at once.
// Unwritten memory is NaN as a float and as a double. Under a sanitizer it is the sanitizer's own
// memory.
namespace nbody::on_cpu {

enum class Owner { device, shared };

void* new_fenced(std::size_t bytes, Owner owner);
// False for what new_fenced() did not make.
bool delete_fenced(void* data);
// Does it point into such memory (at least one element), or just past its end?
bool is_fenced(const void* address);

// Host memory that the GPU may use as well (cudaHostRegister).
void share_host_memory(const void* data, std::size_t bytes);
bool unshare_host_memory(const void* data);

// Every byte 0xff. Not seen by the thread sanitizer: the first thread of a block does it for all.
void fill_unwritten(void* data, std::size_t bytes);

// "byte 4000 of an array of 4000 bytes in shared memory".
std::string name_of_place(const void* address);

}  // namespace nbody::on_cpu
