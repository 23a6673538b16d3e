#!/bin/sh
# by_clang.sh COMPILER ARGUMENT...: the same by clang++, with clang's OpenMP library in place of g++'s.
shift
folder=$(dirname "$(dirname "$(clang++ -print-resource-dir)")")
for word in "$@"; do
  shift
  case $word in */libgomp.*) word=$folder/libomp.so ;; esac
  set -- "$@" "$word"
done
exec clang++ "$@"
