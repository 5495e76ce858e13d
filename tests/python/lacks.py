"""Libraries that the build under test lacks, as CTest lists them; run by hand, a build is assumed to have all."""

import os


def lacks(library: str) -> bool:
    return library in os.environ.get("GENIEPATH_LACKS", "").split()
