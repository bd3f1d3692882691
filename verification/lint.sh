#!/usr/bin/env bash
# The form of the C++ sources, with the tools of Debian 12.
#   verification/lint.sh format          fails on a file that clang-format-14 would change
#   verification/lint.sh format --fix    changes it
#   verification/lint.sh tidy BUILD [FILES...]   clang-tidy-14 on all (or the given) sources of a configured build
#   verification/lint.sh tidy-changed BUILD [SECONDS]   the same on what has changed: since the branch left origin/HEAD, else in the
#                                        last ten commits, newest first; no file is begun after SECONDS (120), and what was left is said
#   verification/lint.sh lines           fails on a source file of 500 lines or more
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
cores=$(env -u OMP_NUM_THREADS nproc)  # nproc would take it for the number of cores

sources() { find core elements contact assembly solvers io verification bench fuzz -name '*.[ch]pp' | sort; }

# A compilation database for clang-tidy, which cannot read GCC's precompiled headers, and wants each source by itself.
database() {
  cmake -S . -B "$1/tidy" -G Ninja -DSCREE_PRECOMPILE=OFF -DSCREE_UNITY=OFF >"$1/tidy.log" 2>&1 || { tail -n 30 "$1/tidy.log" >&2; exit 1; }
  echo "$1/tidy"
}

case ${1:-} in
  format)
    mapfile -t files < <(sources)
    if [[ ${2:-} == --fix ]]; then
      clang-format-14 -i "${files[@]}"
    else
      clang-format-14 --dry-run --Werror "${files[@]}" ||
        { echo "verification/lint.sh format --fix puts it right" >&2; exit 1; }
    fi
    ;;
  tidy)
    build=$(database "${2:?the folder of a configured build}")
    shift 2
    if (($#)); then files=("$@"); else mapfile -t files < <(sources | grep 'cpp$'); fi
    # -Wno-...: the database was written for g++
    printf '%s\0' "${files[@]}" | xargs -0 -n 1 -P "$cores" clang-tidy-14 --quiet -p "$build" \
      --extra-arg=-Wno-unknown-warning-option
    ;;
  tidy-changed)
    git rev-parse -q --verify HEAD >/dev/null || { echo "clang-tidy: skipped: no git history here"; exit 0; }
    build=$(database "${2:?the folder of a configured build}")
    seconds=${3:-120}
    base=$(git merge-base HEAD origin/HEAD 2>/dev/null || true)
    if [[ -z $base || $base == $(git rev-parse HEAD) ]]; then
      base=$(git rev-parse -q --verify HEAD~10 || git rev-list --max-parents=0 HEAD | tail -n 1)
    fi
    # Sources of the compilation database only: others have other flags.
    mapfile -t files < <(git log --name-only --format= "$base..HEAD" -- '*.cpp' | awk 'NF && !seen[$0]++' | while read -r file; do
      [[ -f $file ]] && grep -q "/$file\"" "$build/compile_commands.json" && echo "$file"; done)
    ((${#files[@]})) || { echo "clang-tidy: no source has changed since ${base:0:10}"; exit 0; }
    left=$(mktemp)
    trap 'rm -f "$left"' EXIT
    start=$SECONDS status=0
    export build left
    printf '%s\0' "${files[@]}" | xargs -0 -P "$cores" -I{} bash -c 'if (($(date +%s) >= '"$(($(date +%s) + seconds))"')); then
        echo "$1" >>"$left"; exit 0; fi
      clang-tidy-14 --quiet -p "$build" --extra-arg=-Wno-unknown-warning-option "$1" 2> >(grep -v "warnings generated" >&2)' _ {} ||
      status=1
    count=$(wc -l <"$left")
    echo "clang-tidy: $((${#files[@]} - count)) of ${#files[@]} sources that changed since ${base:0:10}, in $((SECONDS - start)) s"
    ((count == 0)) || { echo "no time for:"; cat "$left"; }
    exit $status
    ;;
  lines)
    long=$(sources | xargs wc -l | awk '$2 != "total" && $1 >= 500 {print $2 ": " $1 " lines; split it by idea"}')
    [[ -z $long ]] || { echo "$long"; exit 1; }
    ;;
  *)
    sed -n '2,9s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
    exit 2
    ;;
esac
