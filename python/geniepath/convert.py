"""Converts other libraries' layers, with their weights, to ours; where formulas differ, an Error says how."""

from __future__ import annotations

import copy
from typing import Any

import torch
from torch import Tensor

from ._core import Error
from .nn import GatedDepth, GATConv
from .nn._module import Layer

GATES_OF_LSTM = ("w_i", "w_f", "w_c", "w_o")  # in the order of torch.nn.LSTM's rows

SUMS = ("add", "sum", "SumAggregation()")  # PyG's names of a sum over messages

DIFFERENT = {
    "GATv2Conv": "its scores are a' LeakyReLU(W_l x_j + W_r x_i), those of GeniePathConv v' tanh(W_s' x_i + W_d' x_j); "
    "no weights make LeakyReLU tanh",
    "TransformerConv": "its scores are products of queries and keys, those of GeniePathConv v' tanh(W_s' x_i + W_d' x_j)",
    "AGNNConv": "its scores are cosines, those of GeniePathConv v' tanh(W_s' x_i + W_d' x_j)",
    "GCNConv": "it has no attention: its weights of edges follow from degrees",
    "SAGEConv": "it has no attention: its neighbours count alike",
}

RECURRENT = "LSTM, GRU and their cells are converted only when given themselves"


def convert_pyg(module: torch.nn.Module, *, zero_state: bool = False) -> torch.nn.Module:
    """A module of ours that computes the same, with the same weights; an Error says which formula differs.

    PyG's GATConv becomes `geniepath.nn.GATConv`, on graphs without parallel edges, which ours merges. PyTorch's LSTM, GRU
    and their cells become `GatedDepth` if their gates do not read the last output: their recurrent weights are 0, or
    `zero_state` says that every call begins with a state of zeros. Of any other module, a copy is returned in which each
    GATConv is ours; what is ours already stays as it is.
    """
    if not isinstance(module, torch.nn.Module):
        raise Error(f"convert_pyg: module is a {type(module).__name__}, expected a torch.nn.Module")
    if isinstance(module, (torch.nn.LSTM, torch.nn.LSTMCell)):
        return _from_lstm(module, zero_state)
    if isinstance(module, (torch.nn.GRU, torch.nn.GRUCell)):
        return _from_gru(module, zero_state)
    kind = type(module).__name__
    if zero_state:
        raise Error(f"convert_pyg: zero_state was given, but module is a {kind}: it is about LSTM and GRU, which are "
                    "converted when given themselves")
    if isinstance(module, Layer):
        return copy.deepcopy(module)
    if kind == "GATConv":
        return _from_gat(module)
    if kind in DIFFERENT:
        raise Error(f"convert_pyg: {kind} differs from every layer here: {DIFFERENT[kind]}")
    return _with_parts_converted(module)


def _with_parts_converted(module: torch.nn.Module) -> torch.nn.Module:
    converted = copy.deepcopy(module)
    found, reasons = 0, []
    made: dict[torch.nn.Module, GATConv] = {}  # a layer that occurs in several places stays one layer
    for path, part in list(converted.named_modules(remove_duplicate=False)):
        kind = type(part).__name__
        if isinstance(part, Layer):
            found += 1
        elif kind == "GATConv" and path:
            holder, _, name = path.rpartition(".")
            made[part] = made.get(part) or _from_gat(part)
            setattr(converted.get_submodule(holder), name, made[part])
            found += 1
        elif kind in DIFFERENT:
            reasons.append(f"{path} ({kind}): {DIFFERENT[kind]}")
        elif isinstance(part, (torch.nn.LSTM, torch.nn.LSTMCell, torch.nn.GRU, torch.nn.GRUCell)):
            reasons.append(f"{path} ({kind}): {RECURRENT}")
    if found == 0:
        why = "; ".join(reasons) or f"it has no layer that is known here: GATConv; {RECURRENT}"
        raise Error(f"convert_pyg: nothing of {type(module).__name__} can be converted: {why}")
    return converted


def _fill(parameter: Tensor, values: Tensor, *origins: Tensor) -> None:
    """Copies values; they are trained if one of their origins is."""
    with torch.no_grad():
        parameter.copy_(values)
    parameter.requires_grad_(any(origin.requires_grad for origin in origins))


def _recurrent(module: Any) -> Tensor:
    found: Tensor = module.weight_hh_l0 if hasattr(module, "weight_hh_l0") else module.weight_hh
    return found.detach()


def _check_recurrent(module: Any, zero_state: bool) -> tuple[Tensor, Tensor | None, Tensor | None]:
    """Weights of the input and both biases of one layer, one way."""
    kind = type(module).__name__
    if getattr(module, "num_layers", 1) != 1 or getattr(module, "bidirectional", False) or getattr(module, "proj_size", 0):
        raise Error(f"convert_pyg: {kind} has several layers, directions or a projection, GatedDepth one layer without")
    if not zero_state and bool((_recurrent(module) != 0).any()):
        raise Error(
            f"convert_pyg: the gates of {kind} also read the last output, through recurrent weights, those of GatedDepth the "
            "new input alone; equal where every call begins with a state of zeros (zero_state=True), or those weights are 0"
        )
    if module.input_size != module.hidden_size:
        raise Error(f"convert_pyg: {kind} maps {module.input_size} columns to {module.hidden_size}, GatedDepth to as many")
    ending = "_l0" if hasattr(module, "weight_ih_l0") else ""
    weight = getattr(module, f"weight_ih{ending}")
    biases = [getattr(module, f"bias_{which}{ending}") if module.bias else None for which in ("ih", "hh")]
    return weight, biases[0], biases[1]


def _from_lstm(module: Any, zero_state: bool) -> GatedDepth:
    weight, bias, other_bias = _check_recurrent(module, zero_state)
    depth = GatedDepth(module.hidden_size, bias=bias is not None).to(weight)
    for name, rows in zip(GATES_OF_LSTM, weight.chunk(4)):
        _fill(getattr(depth, name), rows.T, weight)
    if bias is not None and other_bias is not None:
        i, f, c, o = (bias + other_bias).chunk(4)
        _fill(depth.get_parameter("b"), torch.cat([i, f, o, c]), bias, other_bias)
    return depth


def _from_gru(module: Any, zero_state: bool) -> GatedDepth:
    weight, bias, other_bias = _check_recurrent(module, zero_state)
    depth = GatedDepth(module.hidden_size, kind="gru", bias=bias is not None).to(weight)
    _, update, candidate = weight.chunk(3)
    _fill(depth.w_u, update.T, weight)
    _fill(depth.w_c, candidate.T, weight)
    if bias is not None and other_bias is not None:
        if bool((other_bias.chunk(3)[2] != 0).any()):
            raise Error(
                "convert_pyg: the reset gate of GRU scales a bias of its candidate, and GatedDepth has no reset gate"
            )
        _fill(depth.get_parameter("b_u"), (bias + other_bias).chunk(3)[1], bias, other_bias)
        _fill(depth.get_parameter("b_c"), bias.chunk(3)[2], bias)
    return depth


def _check_is_pyg_s(module: Any) -> None:
    linear = "lin" if getattr(module, "lin", None) is not None else "lin_src"
    others = ("in_channels", "out_channels", "heads", "concat", "negative_slope", "dropout", "att_src", "att_dst")
    for name in (*others, linear):
        if not hasattr(module, name):
            raise Error(f"convert_pyg: {type(module).__module__}.GATConv has no {name}, expected PyG's GATConv")


def _from_gat(module: Any) -> GATConv:
    _check_is_pyg_s(module)
    refused = {
        "edge_dim": "it reads features of edges",
        "lin_edge": "it reads features of edges",
        "res": "it adds a residual inside",
    }
    for name, reason in refused.items():
        if getattr(module, name, None) is not None:
            raise Error(f"convert_pyg: GATConv differs: {reason}, the one here does not")
    if getattr(module, "flow", "source_to_target") != "source_to_target":
        raise Error(f"convert_pyg: GATConv differs: its flow is '{module.flow}', here targets attend to sources")
    if str(getattr(module, "aggr", "add")) not in SUMS:
        raise Error(f"convert_pyg: GATConv differs: its aggr is '{module.aggr}', the one here adds")
    if not getattr(module, "add_self_loops", True):
        raise Error("convert_pyg: GATConv differs: it adds no self-loops, the one here attends to N(i) + {i}")
    if not isinstance(module.in_channels, int):
        raise Error("convert_pyg: GATConv differs: it has weights of their own for sources and targets")
    linear = getattr(module, "lin", None)
    linear = module.lin_src if linear is None else linear
    conv = GATConv(module.in_channels, module.out_channels, module.heads, concat=module.concat,
                   negative_slope=module.negative_slope, dropout=module.dropout, bias=module.bias is not None)
    conv = conv.to(linear.weight)
    _fill(conv.w, linear.weight.T, linear.weight)
    _fill(conv.a_src, module.att_src.squeeze(0), module.att_src)
    _fill(conv.a_dst, module.att_dst.squeeze(0), module.att_dst)
    if conv.b is not None:
        _fill(conv.b, module.bias, module.bias)
    return conv.train(module.training)
