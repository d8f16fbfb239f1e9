# `cmake --install`: the tool, its headers beside it under share/, and the
# package configuration. The tool finds the headers relative to its own binary,
# so the prefix may be moved.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

if(TARGET warpwright)
  set_target_properties(warpwright PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
  install(TARGETS warpwright RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()
# Not CMAKE_INSTALL_DATADIR: bin/../share is where the tool looks.
install(DIRECTORY runtime/include runtime/parse DESTINATION share/warpwright)
install(FILES LICENSE DESTINATION share/warpwright)

set(WARPWRIGHT_BINARY "${CMAKE_INSTALL_BINDIR}/warpwright")
set(WARPWRIGHT_INCLUDE share/warpwright/include)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/Warpwright")
configure_package_config_file(cmake/WarpwrightConfig.cmake.in
  "${CMAKE_BINARY_DIR}/WarpwrightConfig.cmake"
  INSTALL_DESTINATION "${package_dir}"
  PATH_VARS WARPWRIGHT_BINARY WARPWRIGHT_INCLUDE)
write_basic_package_version_file(
  "${CMAKE_BINARY_DIR}/WarpwrightConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES
  "${CMAKE_BINARY_DIR}/WarpwrightConfig.cmake"
  "${CMAKE_BINARY_DIR}/WarpwrightConfigVersion.cmake"
  DESTINATION "${package_dir}")
