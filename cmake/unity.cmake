option(SCREE_UNITY "Sources of a library are compiled several at a time: half of the time from nothing, more after a change" OFF)

# Sources whose own names are also those of another source of their library, and one that a test compiles as well: each is
# compiled alone.
set(unity_alone
  core/mesh/decimation.cpp core/mesh/enclosed_faces.cpp core/mesh/polyhedron_surface.cpp core/mesh/vertex_merge.cpp
  core/parameters/wall_parameters.cpp elements/free_spin_test.cpp elements/integrators_test.cpp elements/newmark_test.cpp
  elements/proximal_test.cpp contact/bounds/step_bounds.cpp contact/geometry/near_features_test.cpp contact/laws/dmt_test.cpp
  contact/pair/pair_many_faces_test.cpp contact/pair/pair_search_test.cpp contact/pair/pair_test.cpp contact/pair/pair_touch_test.cpp
  contact/pair/pair_walls_test.cpp contact/search/broad_phase.cpp contact/search/convex_trees_test.cpp contact/superquadric/features.cpp
  contact/superquadric/midway.cpp contact/surface/deforming_surface_test.cpp assembly/distribution_mpi_test.cpp
  solvers/placement/generator.cpp solvers/placement/room.cpp solvers/quasi_static/quasi_static.cpp
  solvers/quasi_static/quasi_static_mpi_test.cpp solvers/world/boundaries_mpi_test.cpp solvers/world/passage_mpi_test.cpp
  solvers/world/population.cpp solvers/world/population_mpi_test.cpp io/coupling/precice_adapter.cpp io/deck/csv_reader.cpp
  io/deck/deck_meshes_test.cpp io/deck/deck_mixture_test.cpp io/deck/deck_moving_solids_test.cpp io/deck/deck_test.cpp
  io/deck/json_reader.cpp io/deck/mesh_reader.cpp io/deck/petsc_options_test.cpp io/output/results_list_test.cpp)
get_filename_component(unity_root ${CMAKE_CURRENT_LIST_DIR}/.. ABSOLUTE)
list(TRANSFORM unity_alone PREPEND ${unity_root}/)
# In this folder most sources name what they do, for messages, and all by the same name.
file(GLOB unity_contact_dynamics CONFIGURE_DEPENDS ${unity_root}/solvers/contact_dynamics/*.cpp)
set_source_files_properties(${unity_alone} ${unity_contact_dynamics} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)

function(scree_unity target)
  if(SCREE_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
  endif()
endfunction()
