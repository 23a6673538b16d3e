# build/<preset>/manifest.json: what every tool knows about parts and implementations (docs/file_formats.md). Version 2.
# manifest_on_cpu.json is the same for programs whose kernels run on the CPU, with the list of those that have none.

# "text" with its quotes, for JSON.
function(json_string text result)
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  set(${result} "\"${text}\"" PARENT_SCOPE)
endfunction()

function(json_list result)  # further arguments: words
  set(words "")
  foreach(word ${ARGN})
    json_string("${word}" word)
    list(APPEND words ${word})
  endforeach()
  list(JOIN words ", " words)
  set(${result} "[${words}]" PARENT_SCOPE)
endfunction()

# The path of a file of the lab from its root; a file elsewhere keeps its whole path.
function(path_in_lab file result)
  file(RELATIVE_PATH path ${CMAKE_SOURCE_DIR} ${file})
  if(path MATCHES "^\\.\\.")
    set(path ${file})
  endif()
  set(${result} ${path} PARENT_SCOPE)
endfunction()

# A row of one of the lists, in the order of the calls.
function(append_row list row)
  get_property(rows GLOBAL PROPERTY LAB_MANIFEST_${list})
  if(rows)
    string(APPEND rows ",\n")
  endif()
  set_property(GLOBAL PROPERTY LAB_MANIFEST_${list} "${rows}  ${row}")
endfunction()

function(add_manifest_part part step device ranks)
  path_in_lab(${CMAKE_CURRENT_SOURCE_DIR} folder)
  set(launcher "")
  if(ranks)
    set(launcher ${lab_mpi_launcher})
  else()
    set(ranks 1)
  endif()
  json_list(launcher ${launcher})
  set(begin "{\"name\": \"${part}\", \"folder\": \"${folder}\", \"default_step\": \"${step}\", \"device\":")
  append_row(PARTS "${begin} \"${device}\", \"launcher\": ${launcher}, \"ranks\": ${ranks}}")
  if(device STREQUAL gpu AND ranks EQUAL 1)
    append_row(PARTS_ON_CPU "${begin} \"cpu\", \"launcher\": [], \"ranks\": 1}")
  endif()
endfunction()

# An implementation in CUDA that has no program for the CPU, and why.
function(add_gpu_only_row name why)
  json_string("${why}" why)
  append_row(GPU_ONLY "{\"part\": \"${LAB_PART}\", \"name\": \"${name}\", \"why\": ${why}}")
endfunction()

# ON_CPU: a row of manifest_on_cpu.json (on_cpu.cmake).
# PROGRAMS: PRECISION:INSTRUCTION_SET:NAME of each; the instruction set may be empty.
# PROGRAM, ARGUMENTS: of a program that several rows share, its name and what tells them apart.
function(add_manifest_row)
  cmake_parse_arguments(ROW "HOLDS_SUMS;ON_CPU" "NAME;SUMMARY;SOURCE;CLASS;PARENT;KIND;EXPECT;COUNT;PROGRAM"
    "FLAGS;NEEDS;PROGRAMS;ARGUMENTS" ${ARGN})
  if(NOT ROW_PROGRAM)
    set(ROW_PROGRAM ${ROW_NAME})
  endif()
  set(targets ${LAB_PART})
  set(on_cpu "")
  if(ROW_ON_CPU)
    set(targets ${LAB_PART}_on_cpu)
    set(on_cpu _ON_CPU)
  endif()
  set(programs "")
  foreach(program ${ROW_PROGRAMS})
    string(REGEX MATCH "^([^:]*):([^:]*):(.*)$" ignored ${program})
    list(APPEND programs "{\"precision\": \"${CMAKE_MATCH_1}\", \"instruction_set\": \"${CMAKE_MATCH_2}\", \
\"program\": \"bin/${targets}/${CMAKE_MATCH_3}\", \"target\": \"${targets}_${CMAKE_MATCH_3}\"}")
  endforeach()
  list(JOIN programs ",\n       " programs)
  set(count null)
  if(ROW_COUNT)
    set(count "{\"program\": \"bin/${LAB_PART}/${ROW_COUNT}\", \"target\": \"${LAB_PART}_${ROW_COUNT}\"}")
  endif()
  string(TOLOWER ${ROW_HOLDS_SUMS} holds_sums)
  path_in_lab(${ROW_SOURCE} ROW_SOURCE)
  foreach(text NAME SUMMARY SOURCE CLASS PARENT KIND EXPECT)
    json_string("${ROW_${text}}" ${text})
  endforeach()
  foreach(words FLAGS NEEDS ARGUMENTS)
    json_list(${words} ${ROW_${words}})
  endforeach()
  set_property(GLOBAL APPEND PROPERTY LAB_MANIFEST${on_cpu}_${LAB_PART} ${ROW_NAME})  # the part's names, for its tests
  append_row(ROWS${on_cpu} "{\"part\": \"${LAB_PART}\", \"name\": ${NAME}, \"kind\": ${KIND},
   \"summary\": ${SUMMARY},
   \"source\": ${SOURCE}, \"class\": ${CLASS}, \"parent\": ${PARENT},
   \"holds_sums\": ${holds_sums},
   \"flags\": ${FLAGS}, \"needs\": ${NEEDS}, \"expect\": ${EXPECT},
   \"program\": \"bin/${targets}/${ROW_PROGRAM}\", \"target\": \"${targets}_${ROW_PROGRAM}\", \"arguments\": ${ARGUMENTS},
   \"programs\": [
       ${programs}],
   \"count\": ${count}}")
endfunction()

function(write_manifest)
  foreach(list PARTS ROWS PARTS_ON_CPU ROWS_ON_CPU GPU_ONLY)
    get_property(${list} GLOBAL PROPERTY LAB_MANIFEST_${list})
  endforeach()
  set(begin "{\n\"version\": 2,\n\"parts\": [\n")
  set(next "\n],\n\"implementations\": [\n")
  file(CONFIGURE OUTPUT manifest.json CONTENT "${begin}${PARTS}${next}${ROWS}\n]\n}\n" @ONLY)
  if(LAB_CUDA_ON_CPU)
    file(CONFIGURE OUTPUT manifest_on_cpu.json @ONLY
      CONTENT "${begin}${PARTS_ON_CPU}${next}${ROWS_ON_CPU}\n],\n\"gpu_only\": [\n${GPU_ONLY}\n]\n}\n")
  endif()
  # What ./lab says before it goes on: headers that are left out.
  get_property(notices GLOBAL PROPERTY LAB_NOTICES)
  list(JOIN notices "\n" notices)
  file(WRITE ${CMAKE_BINARY_DIR}/notices.txt "${notices}\n")
endfunction()
