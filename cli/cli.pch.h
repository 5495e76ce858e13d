// The headers that take longest to compile: torch and CLI11.
#pragma once

#include <CLI/CLI.hpp>

#include "torch.pch.h"
