#!/usr/bin/env bash
# Builds what reads a user's files with sanitizers (Clang), runs its unit tests and the fuzzers.
#   fuzz/run.sh build FOLDER                 configures and builds in FOLDER
#   fuzz/run.sh tests FOLDER                 the unit tests of core/ and of what reads decks, tables and meshes
#   fuzz/run.sh contacts FOLDER              builds and runs those of elements/ and contact/: half an hour on two cores
#   fuzz/run.sh fuzz FOLDER SECONDS [TARGET...]   the corpus, then new inputs for SECONDS per target (deck csv stl bodies), a target
#                                   per core at a time
# What a fuzzer finds (a crash, a leak, a report of a sanitizer, more than 20 s or 1 GB for one input) is written to FOLDER/found
# and fails; put it into fuzz/corpus/TARGET when it is mended. New inputs that reach new code stay in FOLDER/grown.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
command=${1:-} build=${2:-}
cores=$(env -u OMP_NUM_THREADS nproc)  # nproc would take it for the number of cores
[[ $build ]] || { sed -n '2,9s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2; exit 2; }
export ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1

# @param a program of tests, and what it leaves out: one part of its tests per core.
run_tests() {
  local parts=() status=0 part
  for ((part = 0; part < cores; ++part)); do
    GTEST_TOTAL_SHARDS=$cores GTEST_SHARD_INDEX=$part "$1" --gtest_brief=1 --gtest_filter="-$2" &
    parts+=($!)
  done
  for part in "${parts[@]}"; do wait "$part" || status=1; done
  return $status
}

case $command in
  build)
    [[ -f $build/build.ninja ]] || cmake -S "$here" -B "$build" -G Ninja -DCMAKE_CXX_COMPILER=clang++-14 -DSCREE_UNITY=ON
    ninja -C "$build"
    ;;
  tests)
    # The first limits the address space, of which the sanitizer needs terabytes; the others are arithmetic and would take 70 s.
    run_tests "$build/sanitized_tests" \
      Memory.ObeysTheLimitOfTheProcess:EnclosedFaces.ATetrahedron*:EnclosedFaces.OfPartsThatMeetInEveryWay*
    ;;
  contacts)
    ninja -C "$build" sanitized_contact_tests
    # Both count states of random poses, by bounds that hold with GCC's rounding: 11 states instead of 15, 1.99 instead of 2.
    run_tests "$build/sanitized_contact_tests" \
      Meeting.IsCarriedAlongWithTheBodies:SecantPair.TangentHasThePartOfEdgePairsThatActs
    ;;
  fuzz)
    seconds=${3:?seconds per target}
    shift 3
    (($#)) || set -- deck csv stl bodies
    export build here seconds
    printf '%s\n' "$@" | xargs -P "$cores" -I{} bash -c '
      target=$1 log=$build/fuzz_$1.log
      mkdir -p "$build/found/$target" "$build/grown/$target"
      printf "fuzz: %s, %s s\n" "$target" "$seconds" >&2
      # -runs=0 reads the corpus and stops; a time of 0 would be no limit.
      if ((seconds)); then limit=-max_total_time=$seconds; else limit=-runs=0; fi
      "$build/fuzz_$target" "$limit" -timeout=20 -rss_limit_mb=1024 -max_len=6000 -artifact_prefix="$build/found/$target/" \
        "$build/grown/$target" "$here/corpus/$target" >"$log" 2>&1 || { tail -n 40 "$log" >&2; exit 1; }
      printf "fuzz: %s: %s\n" "$target" "$(tail -n 1 "$log")" >&2' _ {}
    ;;
  *)
    echo "fuzz/run.sh: unknown command \"$command\"; expected build, tests, contacts or fuzz" >&2
    exit 2
    ;;
esac
