"""What the build under test lacks; CTest says it, and by hand a build is taken for whole."""

import os


def lacks(library: str) -> bool:
    return library in os.environ.get("GENIEPATH_LACKS", "").split()
