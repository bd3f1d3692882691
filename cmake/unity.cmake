option(SCREE_UNITY "Sources of a library are compiled several at a time: a third of the time from nothing, more after a change" OFF)

# What a source keeps for itself has a name of its own in its library, but for this one that a test compiles as well.
get_filename_component(unity_alone ${CMAKE_CURRENT_LIST_DIR}/../io/coupling/precice_adapter.cpp ABSOLUTE)
set_source_files_properties(${unity_alone} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)

function(scree_unity target)
  if(SCREE_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 16)
  endif()
endfunction()
