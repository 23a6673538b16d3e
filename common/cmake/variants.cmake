# Programs beside the usual ones, in the folder bin of the release build, each built on demand: only the implementation's
# own file is compiled again, the rooms are those of every other program.
#   gprof/PART/NAME, gprof_debug/PART/NAME   for ./lab profile; the second without optimisation
#   addresses/PART/NAME, races/PART/NAME     for ./lab check PART NAME --sanitize; PART, or PART_on_cpu

# -pg misses calls that were inlined or cloned, and -O3 does more of both than -O2.
# Speculative devirtualisation: the loop over the steps, a function of the base class, guesses the class and takes all its
# functions in.
set(flags_for_gprof -g -pg -fno-omit-frame-pointer $<$<CXX_COMPILER_ID:GNU>:-fno-devirtualize-speculatively>)
set(flags_of_gprof -O2 ${flags_for_gprof})
set(flags_of_gprof_debug -O0 -UNDEBUG ${flags_for_gprof})
# Static, so that time in the C library is seen.
set(link_of_gprof -pg -static)
set(link_of_gprof_debug -pg -static)

# Without warnings: the usual build has shown them.
set(link_of_addresses -fsanitize=address,undefined)
set(link_of_races -fsanitize=thread)
set(flags_of_addresses -O1 -g -fno-omit-frame-pointer -w ${link_of_addresses})
set(flags_of_races -O1 -g -fno-omit-frame-pointer -w ${link_of_races})

# Of add_implementation, whose variables it reads. One program, for the machine that builds, where an implementation has
# several instruction sets.
function(add_variants kinds folder source flags link)
  if(NOT CMAKE_BUILD_TYPE STREQUAL Release OR LAB_SANITIZE OR NOT LAB_PART MATCHES "^part[0-9]+$")
    return()
  endif()
  list(FILTER flags EXCLUDE REGEX "^-O")
  if(IMPL_ARCHS)
    list(APPEND flags -march=native)
  endif()
  list(GET IMPL_PRECISIONS 0 precision)
  foreach(kind ${kinds})
    set(target ${kind}_${folder}_${name})
    add_program(${kind}/${folder} ${name} ${source} ${precision} "" "${flags};${flags_of_${kind}}" "${link}")
    target_link_options(${target} PRIVATE ${link_of_${kind}})
    set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)
    if(kind MATCHES "^gprof")
      set_target_properties(${target} PROPERTIES LINKED_STATICALLY ON)
    elseif(kind STREQUAL races AND NOT folder MATCHES "_on_cpu$")
      # clang's OpenMP reports its synchronisation to the sanitizer; with g++'s every loop would look like a race.
      # Kernels on the CPU report theirs themselves.
      set(by_clang sh ${CMAKE_SOURCE_DIR}/common/cmake/by_clang.sh)
      set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER "${by_clang}" CXX_LINKER_LAUNCHER "${by_clang}")
    endif()
  endforeach()
endfunction()
