# What the library is built on: read by its own build, and by find_package(scree) of those who use it.
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
set(MPI_CXX_SKIP_MPICXX ON)  # the C interface alone
find_package(MPI REQUIRED COMPONENTS CXX)
find_package(PkgConfig REQUIRED)
pkg_check_modules(PETSC REQUIRED IMPORTED_TARGET PETSc)
pkg_check_modules(HDF5 REQUIRED IMPORTED_TARGET hdf5-openmpi)  # checkpoint files, by all ranks together
pkg_check_modules(CLP REQUIRED IMPORTED_TARGET clp)  # linear programs
find_library(METIS_LIBRARY metis REQUIRED)
if(NOT TARGET Metis::Metis)
  add_library(Metis::Metis UNKNOWN IMPORTED)
  set_target_properties(Metis::Metis PROPERTIES IMPORTED_LOCATION ${METIS_LIBRARY})
endif()
find_package(nlohmann_json 3.11 REQUIRED)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(VTK 9 REQUIRED COMPONENTS CommonCore CommonDataModel IOCore IOXML)
