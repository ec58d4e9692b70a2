"""The network of hyper-representation in PyTorch: x is the hidden layer, y the last one."""
import json

import numpy as np
import torch


class Network:
    """phi(s) = relu(W s + b), x = (W, b); cross entropy of softmax(Y (phi, 1)); g has (ridge/2) |y|^2 in addition."""

    def __init__(self, nodes, seed, file):
        with open(file, encoding="utf-8") as f:
            args = json.load(f)
        rows = torch.tensor(args["rows"], dtype=torch.float64)  # one sample a node: features and class
        self.samples_of, self.classes = rows[:, :-1], rows[:, -1].long()
        self.h, self.d, self.ridge = args["hidden"], rows.shape[1] - 1, args["ridge"]
        self.c = int(self.classes.max()) + 1
        self.p, self.q = self.h * (self.d + 1), self.c * (self.h + 1)
        self.x0 = np.array(args["x0"])

    def start(self, node):
        return self.x0, np.zeros(self.q)

    def loss(self, node, x, y):
        w, b = x[: self.h * self.d].reshape(self.h, self.d), x[self.h * self.d :]
        phi = torch.relu(w @ self.samples_of[node] + b)
        logits = y.reshape(self.c, self.h + 1) @ torch.cat([phi, torch.ones(1, dtype=torch.float64)])
        return torch.logsumexp(logits, 0) - logits[self.classes[node]]

    def f(self, node, x, y):
        return self.loss(node, x, y)

    def g(self, node, x, y):
        return self.loss(node, x, y) + self.ridge / 2 * y @ y
