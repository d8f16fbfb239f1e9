# Warnings for our own code, never for headers of others.
add_library(WarpwrightWarnings INTERFACE)
target_compile_options(WarpwrightWarnings INTERFACE -Wall -Wextra -Werror)

# warpwright_add_library(Name Source.cpp... [LINK_LIBS lib...])
#
# A static library of one stage. Its public headers are
# include/warpwright/<Stage>/*.h. Everything links LLVM; a stage that reads
# Clang ASTs names `WarpwrightClang` in LINK_LIBS. Stages that this build does
# not have yet are left out of LINK_LIBS.
function(warpwright_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LINK_LIBS")
  add_library(${name} STATIC ${arg_UNPARSED_ARGUMENTS})
  target_include_directories(${name}
    PUBLIC "${PROJECT_SOURCE_DIR}/include"
    PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}")
  target_link_libraries(${name} PUBLIC WarpwrightLLVM PRIVATE WarpwrightWarnings)
  warpwright_link(${name} PUBLIC ${arg_LINK_LIBS})
endfunction()

# warpwright_link(target scope lib...): target_link_libraries for those of the
# libraries that exist.
function(warpwright_link target scope)
  foreach(library IN LISTS ARGN)
    if(TARGET ${library})
      target_link_libraries(${target} ${scope} ${library})
    else()
      message(STATUS "${target}: no target ${library} in this build")
    endif()
  endforeach()
endfunction()
