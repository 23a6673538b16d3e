# CUDA, where there is a compiler for it; LAB_CUDA says whether. No GPU is needed to build. Without the
# compiler part 3 is left out, and everything else is built.

# Which GPUs: `native` means the one that is here, and without one the oldest that CUDA 13 knows (T4): each
# further one takes two seconds a program. Newer GPUs translate the PTX that is packed in for the last one.
set(LAB_CUDA_ARCHITECTURES native CACHE STRING
  "compute capabilities to build part 3 for, for example \"75;80;90\", or native")

option(LAB_WITH_CUDA "build part 3 where there is a CUDA compiler" ON)
set(LAB_CUDA FALSE)
if(NOT LAB_WITH_CUDA OR LAB_SANITIZE)  # sanitizers are for the processor's programs
  return()
endif()
# In the environment: of a compiler that CMake is told, it does not ask whether it works.
find_program(LAB_NVCC nvcc PATHS ${CMAKE_SOURCE_DIR}/build/tools/cuda/bin /usr/local/cuda/bin)
if(LAB_NVCC)
  if(NOT CMAKE_CUDA_COMPILER)
    unset(CMAKE_CUDA_COMPILER CACHE)
  endif()
  if(NOT DEFINED ENV{CUDACXX})
    set(ENV{CUDACXX} ${LAB_NVCC})
  endif()
  if(NOT DEFINED ENV{CUDAHOSTCXX})
    set(ENV{CUDAHOSTCXX} ${CMAKE_CXX_COMPILER})
  endif()
  # CMake's own `native` is younger than the oldest CMake that will do, and ends without a GPU.
  set(found ${LAB_CUDA_ARCHITECTURES})
  if(found STREQUAL native)
    execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
      TIMEOUT 20 OUTPUT_VARIABLE answer ERROR_QUIET RESULT_VARIABLE status)
    string(REGEX MATCHALL "[0-9]+\\.[0-9]" found "${answer}")
    string(REPLACE . "" found "${found}")
    list(REMOVE_DUPLICATES found)
    list(SORT found COMPARE NATURAL)
    if(NOT status EQUAL 0 OR NOT found)
      set(found 75)
    endif()
  endif()
  list(POP_BACK found last)
  list(TRANSFORM found APPEND -real)
  set(CMAKE_CUDA_ARCHITECTURES ${found} ${last})
  include(CheckLanguage)
  check_language(CUDA)
endif()
if(LAB_NVCC AND CMAKE_CUDA_COMPILER)
  enable_language(CUDA)
  if(CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 12)  # older ones do not know C++20
    set(LAB_CUDA TRUE)
  endif()
endif()
if(NOT LAB_CUDA)
  message(STATUS "no CUDA 12 or newer that works with ${CMAKE_CXX_COMPILER}: part 3 is left out (./lab setup --cuda)")
  return()
endif()
list(JOIN CMAKE_CUDA_ARCHITECTURES " " shown)
message(STATUS "CUDA ${CMAKE_CUDA_COMPILER_VERSION}: part 3 for compute capability ${shown}")
# Kernels call what is constexpr; CMake before 3.26 does not know that nvcc has C++20.
add_compile_options("$<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr>")
set(CMAKE_CUDA_STANDARD 20)
set(CMAKE_CUDA_EXTENSIONS OFF)
if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
endif()
