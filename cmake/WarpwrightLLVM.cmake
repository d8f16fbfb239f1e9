# Finds LLVM and Clang and defines the interface target `WarpwrightLLVM`:
# their headers (as system headers), definitions, and the RTTI and exception
# settings that they were built with. Debian's version file wants major.minor.
find_package(LLVM 22.1 REQUIRED CONFIG)
find_package(Clang REQUIRED CONFIG HINTS "${LLVM_INSTALL_PREFIX}/lib/cmake/clang")
message(STATUS "LLVM ${LLVM_PACKAGE_VERSION} in ${LLVM_INSTALL_PREFIX}")

# The shared libraries only: the component archives beside them would register
# every command-line option twice.
foreach(library LLVM clang-cpp)
  if(NOT TARGET ${library})
    message(FATAL_ERROR "LLVM in ${LLVM_INSTALL_PREFIX} has no shared library"
      " '${library}'; install libclang-cpp22 and llvm-22-dev")
  endif()
endforeach()

separate_arguments(llvm_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")

add_library(WarpwrightLLVM INTERFACE)
target_include_directories(WarpwrightLLVM SYSTEM INTERFACE
  ${LLVM_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS})
target_compile_definitions(WarpwrightLLVM INTERFACE ${llvm_definitions})
if(NOT LLVM_ENABLE_RTTI)
  target_compile_options(WarpwrightLLVM INTERFACE -fno-rtti)
endif()
if(NOT LLVM_ENABLE_EH)
  target_compile_options(WarpwrightLLVM INTERFACE -fno-exceptions)
endif()
target_link_libraries(WarpwrightLLVM INTERFACE LLVM)

# What the stages that read Clang ASTs link.
add_library(WarpwrightClang INTERFACE)
target_link_libraries(WarpwrightClang INTERFACE clang-cpp WarpwrightLLVM)
