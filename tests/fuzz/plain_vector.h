// Included first where clang builds the fuzz targets. LibTorch 1.13 uses std::vector<IValue> before IValue is complete,
// which works as long as vector's members are instantiated late. libstdc++ 12 makes them constexpr in C++20, and clang
// instantiates those at once; so vector is included here without its constexpr. The one function declared constexpr
// elsewhere gets another name: std::fill over a vector<bool> will not link.
#pragma once

#include <string>

#ifdef _GLIBCXX20_CONSTEXPR
#undef _GLIBCXX20_CONSTEXPR
#define _GLIBCXX20_CONSTEXPR
#define __fill_a1 __fill_a1_of_bits
#include <vector>
#undef __fill_a1
#undef _GLIBCXX20_CONSTEXPR
#define _GLIBCXX20_CONSTEXPR constexpr
#endif
