# Programs for ./lab check PART NAME --sanitize, in float: bin/addresses/PART/NAME and bin/races/PART/NAME of the release
# build. As for gprof, only the implementation's own file is compiled again, with its own flags; the rooms are those of
# every other program. Built on demand.
set(sanitizer_of_addresses -fsanitize=address,undefined)
set(sanitizer_of_races -fsanitize=thread)

# Of add_implementation, whose variables it reads. FOLDER: PART, or PART_on_cpu.
function(add_sanitized_programs folder source flags link)
  if(NOT CMAKE_BUILD_TYPE STREQUAL Release OR LAB_SANITIZE OR NOT LAB_PART MATCHES "^part[0-9]+$")
    return()
  endif()
  if(IMPL_ARCHS)
    list(APPEND flags -march=native)
  endif()
  foreach(kind addresses races)
    set(target ${kind}_${folder}_${name})
    add_program(${kind}/${folder} ${name} ${source} float "" "${flags}" "${link}")
    # Without warnings: the usual build has shown them.
    target_compile_options(${target} PRIVATE -O1 -g -fno-omit-frame-pointer -w ${sanitizer_of_${kind}})
    target_link_options(${target} PRIVATE ${sanitizer_of_${kind}})
    set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)
  endforeach()
  # clang's OpenMP reports its synchronisation to the sanitizer; with g++'s every loop would look like a race. Kernels on
  # the CPU report theirs themselves.
  if(NOT folder MATCHES "_on_cpu$")
    set(by_clang sh ${CMAKE_SOURCE_DIR}/common/cmake/by_clang.sh)
    set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER "${by_clang}" CXX_LINKER_LAUNCHER "${by_clang}")
  endif()
endfunction()
