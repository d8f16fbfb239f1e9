# Warnings for our own code, never for headers of others.
add_library(WarpwrightWarnings INTERFACE)
target_compile_options(WarpwrightWarnings INTERFACE -Wall -Wextra -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # std::stable_sort of GCC 12's library instantiates what it calls deprecated;
  # GCC is told to look away there, Clang is not.
  target_compile_options(WarpwrightWarnings INTERFACE
    -Wno-deprecated-declarations)
endif()

# Clang's headers take most of the time that a source file which includes them
# needs, so they are parsed once. ccache cannot look into a precompiled header:
# with a compiler launcher this stays off. GCC gains too little for its size.
option(WARPWRIGHT_PCH "Precompile Clang's headers (Clang as compiler only)" ON)
if(WARPWRIGHT_PCH AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang"
    AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  file(WRITE "${CMAKE_BINARY_DIR}/pch/ClangHeaders.cpp" "")
  add_library(WarpwrightClangHeaders OBJECT
    "${CMAKE_BINARY_DIR}/pch/ClangHeaders.cpp")
  target_link_libraries(WarpwrightClangHeaders PRIVATE
    WarpwrightClang WarpwrightWarnings)
  target_precompile_headers(WarpwrightClangHeaders PRIVATE
    <clang/AST/ASTContext.h>
    <clang/AST/DynamicRecursiveASTVisitor.h>
    <clang/Frontend/CompilerInstance.h>
    <clang/Frontend/FrontendAction.h>
    <clang/Lex/Preprocessor.h>
    <clang/Sema/Sema.h>
    <clang/Tooling/Tooling.h>)
endif()

# Several sources of a target are compiled as one: what their headers define is
# parsed and instantiated once. Names that are local to a file must then differ
# among the files of a target.
option(WARPWRIGHT_UNITY "Compile several sources of a target at once" ON)
set(CMAKE_UNITY_BUILD ${WARPWRIGHT_UNITY})
set(CMAKE_UNITY_BUILD_BATCH_SIZE 8)

# warpwright_compile_alone(Source.cpp...): those in this folder that give names
# another meaning than their neighbours.
function(warpwright_compile_alone)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# warpwright_use_clang_headers(target): shares the precompiled headers, if any.
# The target has no say in the options that change what a header means.
function(warpwright_use_clang_headers target)
  if(TARGET WarpwrightClangHeaders)
    target_precompile_headers(${target} REUSE_FROM WarpwrightClangHeaders)
  endif()
endfunction()

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
      "${PROJECT_SOURCE_DIR}/runtime/include" # formulas that both compile
    PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}")
  target_link_libraries(${name} PUBLIC WarpwrightLLVM PRIVATE WarpwrightWarnings)
  warpwright_link(${name} PUBLIC ${arg_LINK_LIBS})
  # What does not include Clang's headers includes LLVM's, which are in them.
  warpwright_use_clang_headers(${name})
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
