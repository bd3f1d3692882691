option(SCREE_UNITY "Sources of a library are compiled several at a time: half of the time from nothing, more after a change" OFF)

# Sources whose own names are also those of another source of their library: each is compiled alone.
set(unity_alone
  core/mesh/decimation.cpp core/mesh/enclosed_faces.cpp core/mesh/polyhedron_surface.cpp core/mesh/vertex_merge.cpp
  core/parameters/wall_parameters.cpp contact/bounds/step_bounds.cpp contact/search/broad_phase.cpp
  contact/superquadric/features.cpp contact/superquadric/midway.cpp solvers/quasi_static/quasi_static.cpp
  solvers/world/population.cpp solvers/placement/generator.cpp solvers/placement/room.cpp io/deck/csv_reader.cpp
  io/deck/json_reader.cpp io/deck/mesh_reader.cpp)
set(unity_root ${CMAKE_CURRENT_LIST_DIR}/..)
function(scree_unity target)
  if(SCREE_UNITY)
    file(GLOB alone CONFIGURE_DEPENDS ${unity_root}/solvers/contact_dynamics/*.cpp)
    foreach(file ${unity_alone})
      list(APPEND alone ${unity_root}/${file})
    endforeach()
    foreach(file ${alone})
      get_filename_component(file ${file} ABSOLUTE)
      set_source_files_properties(${file} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endforeach()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
  endif()
endfunction()
