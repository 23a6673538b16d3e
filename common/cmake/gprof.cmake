# Programs for ./lab profile: gprof/PART/NAME, and gprof_debug/PART/NAME without optimisation, in the folder bin of the
# release build. Only the implementation's own file is compiled for gprof; the rooms are those of every other program.
# Built on demand.

# -pg misses calls that were inlined or cloned, and -O3 does more of both than -O2. Written after the level of the build.
set(flags_for_all -g -pg -fno-omit-frame-pointer)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # Else the loop over the steps, a function of the base class, guesses the class and takes all its functions in.
  list(APPEND flags_for_all -fno-devirtualize-speculatively)
endif()
set(flags_of_gprof -O2 ${flags_for_all})
set(flags_of_gprof_debug -O0 -UNDEBUG ${flags_for_all})

# Of add_implementation, whose variables it reads. One program, for the machine that builds, where an implementation has
# several instruction sets.
function(add_gprof_programs source)
  if(NOT CMAKE_BUILD_TYPE STREQUAL Release OR NOT CMAKE_SYSTEM_NAME STREQUAL Linux OR LAB_SANITIZE)
    return()
  endif()
  set(flags ${IMPL_FLAGS})
  list(FILTER flags EXCLUDE REGEX "^-O")
  if(IMPL_ARCHS)
    list(APPEND flags -march=native)
  endif()
  list(GET IMPL_PRECISIONS 0 precision)
  foreach(kind gprof gprof_debug)
    add_program(${kind}/${LAB_PART} ${name} ${source} ${precision} "" "${flags};${flags_of_${kind}}" "${IMPL_LINK}")
    # Static, so that time in the C library is seen.
    target_link_options(${kind}_${LAB_PART}_${name} PRIVATE -pg -static)
    set_target_properties(${kind}_${LAB_PART}_${name} PROPERTIES EXCLUDE_FROM_ALL ON LINKED_STATICALLY ON)
  endforeach()
endfunction()
