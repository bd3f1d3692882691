option(SCREE_PRECOMPILE "Headers of others are compiled once: a third less time" ON)

# Headers of others that most sources of a program include. Each source still names what it uses:
# whoever installs the library compiles without.
set(precompiled_std <algorithm> <array> <cmath> <cstdint> <cstdio> <functional> <limits> <map> <memory> <numeric> <optional> <random>
  <set> <span> <stdexcept> <string> <string_view> <tuple> <utility> <variant> <vector> <Eigen/Dense>)
set(precompiled_petsc ${precompiled_std} <mpi.h> <petscsnes.h> <petsctao.h>)
set(precompiled_io ${precompiled_petsc} <filesystem> <fmt/format.h> <nlohmann/json.hpp>)
function(scree_precompile target)
  if(SCREE_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()
# The same headers as another target, compiled with the same options: once for both.
function(scree_precompiled_as target other)
  if(SCREE_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM ${other})
  endif()
endfunction()
