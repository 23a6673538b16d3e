# nbody_options: what every target of the lab is compiled and linked with.
# nbody_warnings: our own code; a student's header is warned about, never refused.

# Unless it has a value.
macro(set_default variable)
  if(NOT ${variable})
    set(${variable} ${ARGN})
  endif()
endmacro()

add_library(nbody_options INTERFACE)
target_include_directories(nbody_options INTERFACE ${CMAKE_SOURCE_DIR}/common)
# The truth may not depend on whether a compiler fuses a*b+c.
set(no_contraction -ffp-contract=off)

if(LAB_SANITIZE)
  set(sanitizers -fsanitize=address,undefined -fno-sanitize-recover=all)
  # What gcc adds for the sanitizers makes it warn of code without errors, in <regex> for one.
  target_compile_options(nbody_options INTERFACE ${sanitizers} -fno-omit-frame-pointer -O1
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_link_options(nbody_options INTERFACE ${sanitizers})
endif()

add_library(nbody_warnings INTERFACE)
# GCC 12 sees an overlap in "literal" + std::string that is not there (GCC bug 105329).
set(cxx_warnings -Wall -Wextra $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
# nvcc's own, and those of the compiler behind it.
set(cuda_warnings -Xcompiler=-Wall,-Wextra)
if(LAB_WARNINGS_AS_ERRORS)
  list(APPEND cxx_warnings -Werror)
  list(APPEND cuda_warnings -Werror=all-warnings)
endif()
target_compile_options(nbody_warnings INTERFACE
  "$<$<COMPILE_LANGUAGE:CXX>:${cxx_warnings}>" "$<$<COMPILE_LANGUAGE:CUDA>:${cuda_warnings}>")
