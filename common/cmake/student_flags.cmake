# Which headers of a folder are students' versions, and with which flags flags.txt wants them.

# student_extension of the caller: hpp, or cuh where nvcc compiles them.

# mine.hpp and mine_NAME.hpp of this folder, as names. One whose name cannot be that of a program is
# left out, with a line that ./lab shows.
function(find_student_headers result)
  file(GLOB headers CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}
    mine*.${student_extension})
  file(RELATIVE_PATH folder ${CMAKE_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  set(names "")
  foreach(header ${headers})
    if(header MATCHES "^mine(_[A-Za-z0-9_]+)?\\.[a-z]+$" AND NOT header MATCHES "_(count|double)\\.[a-z]+$")
      string(REGEX REPLACE "\\.[a-z]+$" "" name ${header})
      list(APPEND names ${name})
    else()
      set_property(GLOBAL APPEND PROPERTY LAB_NOTICES "${folder}/${header} is left out: rename it \
to mine_NAME.${student_extension}, where NAME has only a-z, A-Z, 0-9 and _ and does not end in _count or _double")
    endif()
  endforeach()
  set(${result} ${names} PARENT_SCOPE)
endfunction()

function(refuse_flags where text)
  message(FATAL_ERROR "${where}: ${text}")
endfunction()

# Only flags that change how code is generated pass: none that leave a file out or make another, and none with which the
# file no longer fits the lab's library, which is compiled without: other calls, other structures in memory.
function(demand_known_flags where)
  if(student_extension STREQUAL cuh)
    set(known "^-(O[0-3]|use_fast_math|(ftz|prec-sqrt|prec-div|fmad)=(true|false)|maxrregcount=[0-9]+|lineinfo|g|G|Xptxas=-v)$")
    set(refused "^$")
    set(advice "(-O0 to -O3, -use_fast_math, -ftz=, -prec-sqrt=, -prec-div=, -fmad=, -maxrregcount=), for example: -O3 -ftz=true")
  else()
    set(known "^-(O[0-3sg]?|Ofast|f[a-z0-9=-]+|m[a-z0-9=.+-]+|g|W[a-z0-9=+-]+)$")
    set(refused "^-f(plugin|profile|sanitize|dump|input|diagnostics|syntax-only|directives-only|preprocessed|driver-only|module|\
self-test|emit|pack-struct|short-(enums|wchar|double)|reg-struct-return|pcc-struct-return|abi-|call-used|call-saved|fixed-|\
leading-underscore|no-leading-underscore|split-stack|no-exceptions|no-rtti|no-pie|no-PIE|whole-program)|\
^-m(16|32|x32|iamcu|abi=|regparm|rtd|sseregparm|soft-float|hard-float|general-regs-only|no-sse2?$|no-80387|no-fp-ret-in-387|\
ms-bitfields|(no-)?align-double|long-double|96bit|128bit|preferred-stack-boundary|incoming-stack-boundary|stack-alignment)")
    set(advice "(-O.., -f.., -m.., -W..) that keep the file fitting the lab's library, for example: -O3 -march=native -fopenmp")
  endif()
  foreach(flag ${ARGN})
    if(flag MATCHES "[^ -~]")
      refuse_flags("${where}" "'${flag}' has a character that no flag has, perhaps a long dash from \
a page: type it again, with a plain -")
    elseif(NOT flag MATCHES "${known}" OR flag MATCHES "${refused}")
      refuse_flags("${where}" "'${flag}' is not allowed. Use optimisation flags only ${advice}")
    endif()
  endforeach()
endfunction()

# One line: flags for all -> student_flags, `NAME: flags` -> student_flags_NAME.
function(read_flags_line where line)  # further arguments: the names that there are
  set(target student_flags)
  set(what "flags for all")
  if(line MATCHES "^([^ ]*) *:(.*)$")
    set(target student_flags_${CMAKE_MATCH_1})
    set(what "flags of ${CMAKE_MATCH_1}")
    set(line "${CMAKE_MATCH_2}")
    if(NOT CMAKE_MATCH_1 IN_LIST ARGN)
      list(JOIN ARGN ".${student_extension} " headers)
      refuse_flags("${where}" "there is no ${CMAKE_MATCH_1}.${student_extension} (there are: \
${headers}.${student_extension}): correct \
the name or remove the line")
    endif()
  elseif(line MATCHES "^(mine[A-Za-z0-9_]*)(.*)$")
    refuse_flags("${where}" "a colon is missing after '${CMAKE_MATCH_1}': write \
${CMAKE_MATCH_1}:${CMAKE_MATCH_2}")
  endif()
  separate_arguments(flags UNIX_COMMAND "${line}")
  if(NOT flags)
    refuse_flags("${where}" "no flags after the colon: write them, for example -O3, or remove the line")
  endif()
  demand_known_flags("${where}" ${flags})
  if(DEFINED ${target})
    refuse_flags("${where}" "a second line with the ${what}: keep one of them")
  endif()
  set(${target} ${flags} PARENT_SCOPE)
endfunction()

# Sets student_flags and, where it has a line of its own, student_flags_NAME.
function(read_student_flags file)  # further arguments: the names that there are
  file(RELATIVE_PATH shown ${CMAKE_SOURCE_DIR} ${file})
  if(NOT EXISTS ${file})
    message(FATAL_ERROR "${shown} is missing: bring it back with git checkout ${shown}, or write it \
with this line: -O3")
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  # Not file(STRINGS): it breaks words at characters outside ASCII.
  file(READ ${file} text)
  set(number 0)
  while(NOT text STREQUAL "")
    math(EXPR number "${number} + 1")
    string(REGEX MATCH "^[^\n]*\n?" line "${text}")
    string(LENGTH "${line}" length)
    string(SUBSTRING "${text}" ${length} -1 text)
    string(REGEX REPLACE "#.*" "" line "${line}")
    string(STRIP "${line}" line)
    if(NOT line STREQUAL "")
      read_flags_line("${shown}:${number}" "${line}" ${ARGN})
    endif()
  endwhile()
  list(TRANSFORM ARGN PREPEND student_flags_)
  foreach(read student_flags ${ARGN})
    if(DEFINED ${read})
      set(${read} ${${read}} PARENT_SCOPE)
    endif()
  endforeach()
endfunction()
