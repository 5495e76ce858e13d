// LibTorch headers that most files of the library use, precompiled. Not included by hand: each file includes what it
// uses.
#pragma once

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/nn/module.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>
