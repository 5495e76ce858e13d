"""The package: its import, version and error."""

import os
import pickle
import subprocess
import sys

import pytest
import torch

import geniepath

OPTIONAL = ("pandas", "scipy", "sklearn", "networkx", "matplotlib", "tqdm")


def run_python(code: str, **environment: str) -> str:
    others = {name: value for name, value in os.environ.items() if name not in ("GOMP_SPINCOUNT", "OMP_WAIT_POLICY")}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, env=others | environment, check=True, capture_output=True, text=True).stdout


def test_version_is_the_library_s():
    assert geniepath.__version__.count(".") == 2


def test_import_needs_nothing_optional_and_little_time():
    blocked = "".join(f"sys.modules[{name!r}] = None\n" for name in OPTIONAL)
    code = f"import sys, time\n{blocked}import torch\nbegun = time.process_time()\nimport geniepath\n"
    # CPU time, so that other work does not count.
    times = [float(run_python(code + "print(time.process_time() - begun)")) for _ in range(2)]
    assert min(times) < 0.2


@pytest.mark.parametrize(
    "before, given, expected",
    [
        ("", {}, "1000"),
        ("", {"GOMP_SPINCOUNT": "7"}, "7"),
        ("", {"OMP_WAIT_POLICY": "active"}, None),
        ("import torch", {}, None),  # too late
    ],
)
def test_waiting_threads_spin_briefly_unless_the_user_chose_otherwise(before, given, expected):
    code = f"{before}\nimport geniepath, os; print(os.environ.get('GOMP_SPINCOUNT'))"
    assert run_python(code, **given).strip() == str(expected)


def test_operators_are_registered_once_by_the_import():
    assert torch.ops.geniepath.linear(torch.ones(2, 3), torch.ones(3, 4)).tolist() == [[3.0] * 4] * 2


def test_error_is_a_value_error_that_can_be_pickled():
    error = pickle.loads(pickle.dumps(geniepath.Error("edges: none")))
    assert isinstance(error, geniepath.Error) and isinstance(error, ValueError)
    assert str(error) == "edges: none"


def test_registered_operators_raise_it_too():
    with pytest.raises(geniepath.Error, match="linear: w has dtype Double, expected Float"):
        torch.ops.geniepath.linear(torch.ones(2, 3), torch.ones(3, 4).double())
