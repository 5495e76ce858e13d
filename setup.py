"""Packs the Python package: CMake builds and installs it, setuptools makes the wheel (docs/python.md).

GENIEPATH_BUILD: the build folder to use (default: build-python), so that what is built there is not built again.
"""

import os
import pathlib
import re
import subprocess
import sys

import setuptools
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent


def version() -> str:
    header = (ROOT / "include/geniepath/version.h").read_text()
    return ".".join(re.findall(r"define GENIEPATH_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header))


def torch_options() -> list[str]:
    """Where CMake finds the LibTorch of PyTorch's wheel; Debian's is in its usual place."""
    import torch

    place = pathlib.Path(torch.utils.cmake_prefix_path)
    return [f"-DCMAKE_PREFIX_PATH={place}"] if place.is_dir() else []


class CMakeBuild(build_ext):
    def run(self) -> None:
        build = pathlib.Path(os.environ.get("GENIEPATH_BUILD", ROOT / "build-python")).resolve()
        if not (build / "build.ninja").exists():
            options = ["CMAKE_BUILD_TYPE=Release", "GENIEPATH_TESTS=OFF", "GENIEPATH_PYTHON=REQUIRED",
                       f"Python3_EXECUTABLE={sys.executable}"]
            self.cmake("-S", ROOT, "-B", build, "-G", "Ninja", *(f"-D{option}" for option in options), *torch_options())
        self.cmake("--build", build, "--target", "geniepath_python")
        self.cmake("--install", build, "--component", "python", "--prefix", pathlib.Path(self.build_lib).resolve())

    def cmake(self, *arguments: object) -> None:
        subprocess.run(["cmake", *map(str, arguments)], check=True)


# The extension is named so that the wheel is one of this platform; CMake has the list of its sources.
setuptools.setup(
    version=version(),
    packages=[],
    ext_modules=[setuptools.Extension("geniepath._core", sources=[])],
    cmdclass={"build_ext": CMakeBuild},
)
