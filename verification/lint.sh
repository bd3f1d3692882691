#!/usr/bin/env bash
# The form of the C++ sources, with the tools of Debian 12.
#   verification/lint.sh format          fails on a file that clang-format-14 would change
#   verification/lint.sh format --fix    changes it
#   verification/lint.sh tidy BUILD [FILES...]   clang-tidy-14 on all (or the given) sources of a configured build
#   verification/lint.sh lines           fails on a source file of 500 lines or more
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

sources() { find core elements contact assembly solvers io verification bench -name '*.[ch]pp' | sort; }

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
    build=${2:?the folder of a configured build}
    shift 2
    if (($#)); then files=("$@"); else mapfile -t files < <(sources | grep 'cpp$'); fi
    # -Wno-...: the database was written for g++
    printf '%s\0' "${files[@]}" | xargs -0 -n 1 -P "$(nproc)" clang-tidy-14 --quiet -p "$build" \
      --extra-arg=-Wno-unknown-warning-option
    ;;
  lines)
    long=$(sources | xargs wc -l | awk '$2 != "total" && $1 >= 500 {print $2 ": " $1 " lines; split it by idea"}')
    [[ -z $long ]] || { echo "$long"; exit 1; }
    ;;
  *)
    sed -n '2,7s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
    exit 2
    ;;
esac
