"""DAGM on all nodes of a network in plain numpy, one array operation after the other.

    python3 dagm.py FOLDER dense|structured

FOLDER has what main.go writes: setup.json, and arrays of float64 in the order of their rows. The iterates go to
FOLDER/iterates, and one line to standard output: the CPU seconds of the iterations and what computed them. dense
forms and inverts every q x q matrix; structured uses that it is a diagonal plus a matrix of low rank.
"""

import ctypes
import json
import os
import sys
import time

import numpy as np


def blas():
    """Returns the name of the BLAS library, and of OpenBLAS's kernels."""
    with open("/proc/self/maps") as maps:
        paths = {line.split()[-1] for line in maps if "blas" in line}
    for path in sorted(paths):
        try:
            corename = ctypes.CDLL(path).openblas_get_corename
        except (OSError, AttributeError):
            continue
        corename.restype = ctypes.c_char_p
        return "OpenBLAS, kernels " + corename().decode()
    return ", ".join(sorted(os.path.basename(path) for path in paths)) or "unknown BLAS"


def slopes(samples, y):
    """Returns the first and second derivative of log(1 + exp(-u)) at u = samples y, over the number of samples.
    The rows of samples are features times label."""
    u = samples @ y
    p = 1 / (1 + np.exp(u))
    return -p / len(u), p * (1 - p) / len(u)


def dense(samples, second, diagonal):
    """Returns a function that solves with samples' diag(second) samples + diag(diagonal)."""
    inverse = np.linalg.inv((samples.T * second) @ samples + np.diag(diagonal))
    return lambda b: inverse @ b


def structured(samples, second, diagonal):
    """Is dense by the identity of Woodbury."""
    t = np.sqrt(second)[:, None] * samples / np.sqrt(diagonal)
    small = np.linalg.inv(np.eye(len(t)) + t @ t.T)
    root = np.sqrt(diagonal)

    def solve(b):
        v = b / root
        return (v - t.T @ (small @ (t @ v))) / root

    return solve


def main():
    folder, form = sys.argv[1], sys.argv[2]
    with open(os.path.join(folder, "setup.json")) as f:
        s = json.load(f)
    n, q, alpha, beta = s["nodes"], s["q"], s["alpha"], s["beta"]

    def load(name, *shape):
        return np.fromfile(os.path.join(folder, name)).reshape(shape)

    mixing = load("mixing", n, n)
    train, val = load("train", n, s["train"], q), load("val", n, s["val"], q)
    x, y = load("x", n, q), load("y", n, q)
    factor = {"dense": dense, "structured": structured}[form]
    started = time.process_time()
    for _ in range(s["outer"]):
        for t in range(s["inner"]):
            if t == 0:
                mixed = mixing @ x
            step = np.stack([train[i].T @ slopes(train[i], y[i])[0] + np.exp(x[i]) * y[i] for i in range(n)])
            y = mixing @ y - beta * step
        f = np.stack([val[i].T @ slopes(val[i], y[i])[0] for i in range(n)])
        shift = 2 * (1 - np.diag(mixing))
        solvers = [
            factor(train[i], beta * slopes(train[i], y[i])[1], beta * np.exp(x[i]) + shift[i]) for i in range(n)
        ]
        h = np.stack([solvers[i](-f[i]) for i in range(n)])
        for _ in range(s["neumann"]):
            b = -f + (1 - 2 * np.diag(mixing))[:, None] * h + mixing @ h
            h = np.stack([solvers[i](b[i]) for i in range(n)])
        x = mixed - alpha * beta * np.exp(x) * y * h
    seconds = time.process_time() - started
    np.concatenate([x.ravel(), y.ravel()]).tofile(os.path.join(folder, "iterates"))
    print(json.dumps({"seconds": seconds, "numpy": np.__version__, "blas": blas()}))


main()
