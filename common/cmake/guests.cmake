# A guest: a program in another language. It speaks the protocol (docs/protocol.md), so it is checked and timed
# as any other; a row says how it is built or started.
#
#   add_guest(rust_naive "part1/naive in Rust" naive.rs BUILT_BY ${LAB_RUSTC} -O ${CMAKE_CURRENT_SOURCE_DIR}/naive.rs -o)
#   add_guest(triton_naive "..." naive.py RUN_BY ${python} ${CMAKE_CURRENT_SOURCE_DIR}/naive.py NEEDS gpu)
#
# Options: BUILT_BY ...   makes the program; its path is added as the last word
#          RUN_BY ...     what stands in front of --serve: the program becomes a file of one line
#          WITH ...       files that it is made of, beside its source
#          NEEDS ...      as add_implementation's: gpu
function(add_guest name summary source)
  cmake_parse_arguments(GUEST "" "" "BUILT_BY;RUN_BY;WITH;NEEDS" ${ARGN})
  set(program ${CMAKE_BINARY_DIR}/bin/${LAB_PART}/${name})
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/bin/${LAB_PART})
  if(GUEST_BUILT_BY)
    add_custom_command(OUTPUT ${program} VERBATIM DEPENDS ${source} ${GUEST_WITH}
      WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR} COMMAND ${GUEST_BUILT_BY} ${program})
  else()
    list(JOIN GUEST_RUN_BY "' '" words)
    set(LAB_COMMAND "'${words}'")
    set(launcher ${CMAKE_CURRENT_BINARY_DIR}/${name}.sh)
    file(CONFIGURE OUTPUT ${launcher} CONTENT "#!/bin/sh\nexec @LAB_COMMAND@ \"$@\"\n" @ONLY)
    add_custom_command(OUTPUT ${program} VERBATIM DEPENDS ${launcher}
      COMMAND ${CMAKE_COMMAND} -E copy ${launcher} ${program} COMMAND chmod +x ${program})
  endif()
  add_custom_target(${LAB_PART}_${name} ALL DEPENDS ${program})
  add_dependencies(${LAB_PART} ${LAB_PART}_${name})
  add_manifest_row(NAME ${name} SUMMARY "${summary}" SOURCE ${CMAKE_CURRENT_SOURCE_DIR}/${source}
    KIND guest NEEDS ${GUEST_NEEDS} PROGRAMS "float::${name}")
endfunction()

# The first of these Pythons that has the package; empty if none has: that of -DLAB_GUEST_PYTHON=FILE alone where it
# is given, else that of ./lab setup --languages, else the system's. Looks for its files: importing takes seconds.
set(LAB_GUEST_PYTHON "" CACHE FILEPATH "what runs guests in Python; empty: chosen by their packages")
function(find_python_with package result)
  set(candidates ${CMAKE_SOURCE_DIR}/build/tools/languages/bin/python python3)
  if(LAB_GUEST_PYTHON)
    set(candidates ${LAB_GUEST_PYTHON})
  endif()
  set(${result} "" PARENT_SCOPE)
  foreach(python ${candidates})
    execute_process(COMMAND ${python} -c "import importlib.util, sys; sys.exit(not importlib.util.find_spec('${package}'))"
      RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
    if(status EQUAL 0)
      set(${result} ${python} PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()
