"""Runs, explanations and data in other threads and processes, copied and pickled."""

import atexit
import concurrent.futures
import copy
import multiprocessing
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest
import torch

import geniepath
from geniepath import Error, _threads
from test_runs import QUICK, ring


@pytest.fixture(scope="module")
def run():
    data = ring()
    return geniepath.train(data["edges"], data["features"], label=data["labels"], split=data["split"], **QUICK)


def test_explanations_are_pickled_and_copied_with_all_they_show(run):
    why = run.explain(3)
    for other in (pickle.loads(pickle.dumps(why)), copy.deepcopy(why)):
        assert other.data == why.data and other.svg(2) == why.svg(2) and other.html() == why.html()
        assert repr(other) == repr(why) and pickle.dumps(other)
        with pytest.raises(Error, match="layer 3: the model has layers 1 to 2"):
            other.svg(3)


def test_a_copied_run_predicts_the_same_after_its_original_is_gone():
    data = ring()
    run = geniepath.train(data["edges"], data["features"], label=data["labels"], split=data["split"], **QUICK)
    expected, other = run.predict(), copy.deepcopy(run)
    del run
    assert np.array_equal(other.predict(), expected)


def test_threads_share_a_run(run):
    alone, why = run.predict(), run.explain(3).data
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert all(np.array_equal(found, alone) for found in pool.map(lambda _: run.predict(), range(6)))
        assert all(found.data == why for found in pool.map(lambda _: run.explain(3), range(6)))


def _predictions(run):
    return run.predict().tolist()


def test_a_forked_process_uses_a_run_that_it_is_sent(run):
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.map_async(_predictions, [run]).get(timeout=60) == [run.predict().tolist()]


def test_a_forked_process_leaves_its_parent_s_temporary_folder():
    data = ring()
    run = geniepath.train(data["edges"], data["features"], label=data["labels"], split=data["split"], **QUICK)
    folder = run.folder
    child = os.fork()
    if child == 0:
        try:
            del run
            atexit._run_exitfuncs()
        finally:
            os._exit(0)
    assert os.waitpid(child, 0) == (child, 0)
    assert (folder / "model.json").exists()
    del run
    assert not folder.exists()


class Neighbourhoods(torch.utils.data.Dataset):
    """Aggregates in a worker, by registered operators."""

    def __init__(self, edges):
        self.edges = edges

    def __len__(self):
        return 4

    def __getitem__(self, place):
        h = torch.full((20, 3), float(place))
        return torch.ops.geniepath.neighbour_sum(h, [self.edges])


def test_data_loader_workers_call_operators():
    data = Neighbourhoods(torch.stack([torch.arange(20), (torch.arange(20) + 1) % 20]))
    alone = [data[place] for place in range(4)]
    loader = torch.utils.data.DataLoader(data, batch_size=None, num_workers=2)
    assert all(one.equal(other) for one, other in zip(loader, alone))


def test_threads_call_operators_on_many_graphs_at_once():
    def total(nodes):
        edges = torch.stack([torch.arange(nodes), torch.arange(nodes).roll(1)])
        return float(torch.ops.geniepath.neighbour_sum(torch.ones(nodes, 1), [edges]).sum())

    sizes = list(range(3, 80))  # more graphs than are kept
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert list(pool.map(total, sizes)) == [2.0 * nodes for nodes in sizes]


def test_more_threads_than_the_program_takes_are_refused():
    assert _threads.chosen(4096) == 4096
    with pytest.raises(Error, match="train: threads is 4097, expected a number of threads.*: 0 to 4096"):
        _threads.chosen(4097)


FORKS = """
import os, signal, sys, geniepath
parent, child = sys.argv[1:]
def train(threads):
    geniepath.train(data="account-device", size=1000, hidden=8, epochs=2, progress=False, threads=int(threads))
train(parent)
process = os.fork()
if process == 0:
    signal.alarm(20)
    try:
        train(child)
        print("trained", flush=True)
    except Exception as error:
        print(error, flush=True)
    os._exit(0)
os.waitpid(process, 0)
"""


@pytest.mark.parametrize("parent, child, message", [(2, 2, "train: threads is 2, expected 1: this process was forked"),
                                                    (2, 1, "trained"), (2, 0, "trained"), (1, 2, "trained")])
def test_a_forked_process_trains_with_threads_that_it_has(parent, child, message):
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", FORKS, str(parent), str(child)], capture_output=True,
                          text=True, timeout=120)
    if "fork" in done.stdout and not message.startswith("train:"):
        pytest.skip(done.stdout)  # PyTorch 2 refuses gradients there
    assert done.stdout.startswith(message)


AT_EXIT = """
import sys, threading, geniepath
begun = threading.Event()
options = dict(data="account-device", size=1000, hidden=8, epochs=100000, progress=False, threads=1)
options |= dict(out=sys.argv[1], on_epoch=lambda *_: begun.set())
threading.Thread(target=lambda: geniepath.train(**options), daemon=True).start()
begun.wait()
"""


def test_a_process_that_ends_stops_the_training_of_a_daemon_thread(tmp_path):
    command = [sys.executable, "-W", "ignore", "-c", AT_EXIT, tmp_path / "run"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert geniepath.load(tmp_path / "run").predict().shape == (1000, 2)


def test_data_sets_are_pickled_and_copied():
    data = geniepath.dataset("account-device", size=1000)
    for other in (pickle.loads(pickle.dumps(data)), copy.deepcopy(data)):
        assert other.edge_index.equal(data.edge_index) and other.x.to_dense().equal(data.x.to_dense()) and other.name == data.name
    assert [len(part["x"]) for part in data.graphs(torch.arange(len(data.x)))] == [len(data.x)]
    with pytest.raises(Error, match="nowhere"):
        geniepath.dataset("nowhere")
    with pytest.raises(Error, match="no option sise; did you mean size?"):
        geniepath.dataset("account-device", sise=3)
