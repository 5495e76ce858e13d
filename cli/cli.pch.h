// What takes longest to read in the program's files: torch and CLI11.
#pragma once

#include <CLI/CLI.hpp>

#include "torch.pch.h"
