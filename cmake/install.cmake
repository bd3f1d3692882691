# cmake --install: the program, the library with its headers, and find_package(scree). A .deb by: cpack -G DEB
include(CMakePackageConfigHelpers)
set(scree_config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/scree)
set(libraries scree_options scree_core scree_elements scree_contact scree_assembly scree_solvers scree_io)
foreach(library ${libraries})
  string(REPLACE scree_ "" name ${library})
  set_target_properties(${library} PROPERTIES EXPORT_NAME ${name})
endforeach()
# One name for all of it: a folder alone is of no use to others.
set_target_properties(scree_io PROPERTIES EXPORT_NAME scree)
add_library(scree::scree ALIAS scree_io)
install(TARGETS ${libraries} EXPORT scree-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT scree)
install(EXPORT scree-targets NAMESPACE scree:: DESTINATION ${scree_config_dir} COMPONENT scree)
install(TARGETS scree RUNTIME COMPONENT scree)
# "solvers/simulation.hpp" is found below include/scree, as below the root of the sources.
foreach(folder core elements contact assembly solvers io)
  install(DIRECTORY ${folder} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/scree COMPONENT scree FILES_MATCHING PATTERN "*.hpp"
    REGEX "/(test_[a-z_]*|fabricated_run|deck_fixture)\\.hpp$" EXCLUDE
    PATTERN python EXCLUDE PATTERN post EXCLUDE)
endforeach()
configure_package_config_file(cmake/scree-config.cmake.in ${PROJECT_BINARY_DIR}/scree-config.cmake
  INSTALL_DESTINATION ${scree_config_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/scree-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/scree-config.cmake ${PROJECT_BINARY_DIR}/scree-config-version.cmake
  cmake/scree-dependencies.cmake DESTINATION ${scree_config_dir} COMPONENT scree)

if(PROJECT_IS_TOP_LEVEL)
  set(CPACK_PACKAGE_NAME scree)
  set(CPACK_PACKAGE_CONTACT "The Scree authors")
  set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Implicit multibody solver for granular matter")
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_PACKAGE_SECTION science)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "openmpi-bin")
  # What find_package(scree) looks for; the program alone needs none of it.
  set(CPACK_DEBIAN_PACKAGE_SUGGESTS "petsc-dev, libeigen3-dev, libmetis-dev, coinor-libclp-dev, nlohmann-json3-dev, libfmt-dev, libcli11-dev, libvtk9-dev")
  set(CPACK_STRIP_FILES ON)
  include(CPack)
endif()
