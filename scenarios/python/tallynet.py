"""Problems and methods for Tallynet in Python. Needs numpy only.

A problem is a class, a method is a generator:

    # mine.py
    import numpy as np

    class Mean:                        # Φ(x) = mean over the nodes of 1/2 ||x - b_i||²; y has no elements
        def __init__(self, nodes, seed, dim):
            self.p, self.q = dim, 0
            self.b = np.random.default_rng(seed).standard_normal((nodes, dim))
        def f(self, node, x, y):       # one number; with torch or jax, written in their functions
            return 0.5 * np.sum((x - self.b[node]) ** 2)
        def grad_f_x(self, node, x, y):  # derivatives by hand, where neither is used
            return x - self.b[node]

    def dgd(node, o, outer, alpha):
        x, y = o.start()
        node.report(0, x, y)
        for k in range(1, outer + 1):
            g = o.grad_f_x(x, y)
            mx = yield node.mix("outer", x)     # only waiting yields
            x = mx - alpha * g
            node.report(k, x, y)

    # mine.yaml, for simulate run mine.yaml --allow-code
    version: 1
    topology: {kind: ring, nodes: 4}
    problem: {kind: python, file: mine.py, class: Mean, args: {dim: 3}}
    algorithms:
      - {name: python, label: mine, file: mine.py, method: dgd, outer: 100, args: {alpha: 0.1}}

A bilevel problem has g, grad_f_y and the derivatives of g as well; docs/python.md has one.
Nodes and oracles are described at their classes below. What is printed goes to standard error.
"""
import csv
import importlib.util
import inspect
import io
import json
import os
import select
import signal
import struct
import sys
import time
import traceback

VERSION = 2  # of the protocol
_MAGIC = b"TLNY"

# Frames are a length (u32), an operation (u8) and a body. All numbers are little endian.
_OK, _ERROR, _INIT, _CALL, _RESUME, _YIELD, _DONE, _ORACLE, _WORK, _REPORT, _SEND, _DRAW = range(12)
_CALLS = ["f", "g", "grad_f_x", "grad_f_y", "grad_g_x", "grad_g_y", "hess_g_yy_mul", "jac_g_xy_mul", "hess_g_yy",
          "jac_g_xy", "start", "factor", "solve"]
_INDEX = {name: k for k, name in enumerate(_CALLS)}
_WAITS = ["mix", "exchange", "receive", "sleep"]


class _Looks:
    """How long to look for a frame before sleeping for it; look.go has the same, and says why.

    To be woken takes longer than most frames do. Looking is tried for some frames from time to time,
    and goes on for so long as it mostly helps, so that no core is kept from long computations.
    """

    TRIAL, TRIAL_WINDOW, WINDOW = 6, 200e-6, 60e-6
    FIRST_PERIOD, LAST_PERIOD, STREAK, CREDIT, MISS = 16, 1024, 3, 8, 4

    @staticmethod
    def worthwhile():
        return hasattr(select, "poll") and hasattr(os, "sched_getaffinity") and len(os.sched_getaffinity(0)) > 1

    def __init__(self, descriptor):
        self.frame = self.streak = self.credit = 0
        self.period = self.FIRST_PERIOD
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        self.ready = poll.poll

    def window(self):
        """Seconds."""
        at = self.frame % self.period
        self.frame += 1
        if self.credit > 0:
            return self.WINDOW
        if at >= self.TRIAL:
            return 0
        if at == 0:
            self.streak = 0
        return self.TRIAL_WINDOW

    def waited(self, short):
        """Says of a frame that had a window whether it came within the usual one."""
        if self.credit > 0:
            self.credit = min(self.credit + 1, self.CREDIT) if short else max(self.credit - self.MISS, 0)
            return
        self.streak = self.streak + 1 if short else 0
        if (self.frame - 1) % self.period == self.TRIAL - 1:
            if self.streak >= self.STREAK:
                self.credit, self.period = self.CREDIT, max(self.period // 4, self.FIRST_PERIOD)
            else:
                self.period = min(2 * self.period, self.LAST_PERIOD)

    def look(self):
        window = self.window()
        if not window:
            return
        ready, clock = self.ready, time.perf_counter
        began = clock()
        while True:
            there = ready(0)
            took = clock() - began
            if there or took > window:
                break
        self.waited(bool(there) and took <= self.WINDOW)


class _Pipe:
    def __init__(self):
        # The protocol has the first descriptors for itself: input() sees an empty file, and print
        # writes to standard error.
        self.inp, self.out = os.dup(0), os.dup(1)
        self.file = io.FileIO(self.inp, closefd=False)
        self.room = memoryview(bytearray(1 << 16))
        self.ahead = b""     # read, and not yet asked for
        self.waiting = b""   # frames without an answer, which go with the next one
        self.looks = _Looks(self.inp) if _Looks.worthwhile() else None
        os.dup2(2, 1)
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)

    def read(self):
        """The next frame: its operation and its body, which is good until the next is read."""
        room = self.room
        if self.ahead:
            n, self.ahead = len(self.ahead), b""
        else:
            if self.looks:
                self.looks.look()
            n = self.file.readinto(room)
        while n < 5:
            more = self.file.readinto(room[n:])
            if not more:
                return None, b""
            n += more
        size, op = _HEAD.unpack_from(room)
        end = 5 + size
        if n == end:
            return op, room[5:end]
        if n > end:  # a frame has come before it was asked for
            body, self.ahead = bytes(room[5:end]), bytes(room[end:n])
            room[:n - end] = self.ahead
            return op, body
        body = memoryview(bytearray(size))
        body[:n - 5] = room[5:n]
        at = n - 5
        while at < size:
            more = self.file.readinto(body[at:])
            if not more:
                return None, b""
            at += more
        return op, body

    def later(self, op, body):
        """Writes a frame that has no answer, at the latest with the next that has."""
        self.waiting += _HEAD.pack(len(body), op) + body
        if len(self.waiting) > 1 << 15:
            self.send(b"")

    def write(self, op, body=b""):
        self.send(_HEAD.pack(len(body), op) + body)

    def send(self, data):
        """Writes frames."""
        if self.waiting:
            data, self.waiting = self.waiting + data, b""
        sent = os.write(self.out, data)
        if sent < len(data):
            view = memoryview(data)[sent:]
            while view:
                view = view[os.write(self.out, view):]


_HEAD, _COUNT, _SHAPE, _NUMBER = (struct.Struct(f) for f in ("<IB", "<H", "<II", "<d"))
_FUNCTION = struct.Struct("<IBBIH")  # the head of a frame, the function, the batch, and how many arrays follow
_FIRST = struct.Struct("<HII")       # how many arrays there are, and the shape of the first


def _parts(arrays):
    """The arrays as frames have them, in parts, and the bytes of all."""
    parts, size = [], 0
    for a in arrays:
        if type(a) is not np.ndarray or a.dtype is not _FLOAT or not a.flags.c_contiguous:
            a = _real(a)
        if a.ndim == 1:
            parts.append(_SHAPE.pack(a.size, 0))
        else:
            parts.append(_SHAPE.pack(*(a.shape if a.ndim == 2 else (a.size, 0))))
        parts.append(a)
        size += 8 + a.nbytes
    return parts, size


def _real(a):
    """a as float64, one after the other. numpy would drop imaginary parts with no more than a warning."""
    if np.iscomplexobj(a):
        raise TypeError(f"an array of type {np.asarray(a).dtype} has imaginary parts; want real numbers")
    return np.asarray(a, dtype=_FLOAT, order="C")


def _pack(arrays):
    return b"".join([_COUNT.pack(len(arrays))] + _parts(arrays)[0])


def _unpack(body, at=0):
    """The arrays in a body, as copies."""
    n, rows, cols = _FIRST.unpack_from(body, at) if len(body) > at + 2 else (0, 0, 0)
    at += 10
    if n == 1 and not cols:
        return [np.frombuffer(body, _FLOAT, rows, at).copy()]
    arrays = []
    for k in range(n):
        if k:
            rows, cols = _SHAPE.unpack_from(body, at)
            at += 8
        size = rows * (cols or 1)
        a = np.frombuffer(body, _FLOAT, size, at).copy()
        arrays.append(a.reshape(rows, cols) if cols else a)
        at += 8 * size
    return arrays


class Remote(Exception):
    """The run has ended, or Tallynet refused what was wanted of it."""


class Oracle:
    """What a method knows of its node's problem. Every call is counted and takes simulated time.

    x has p elements, y has q; a single-level problem has q = 0, and y may be left out.
    o.start() -> x, y
    o.f(x, y), o.g(x, y) -> a number
    o.grad_f_x(x, y), o.grad_f_y, o.grad_g_x, o.grad_g_y -> a vector
    o.hess_g_yy_mul(x, y, v) -> q, o.jac_g_xy_mul(x, y, v) -> p       products with v (q)
    o.hess_g_yy(x, y) -> q x q, o.jac_g_xy(x, y) -> p x q
    c = o.factor(a), o.solve(c, b)     Cholesky's factor of a (q x q), and the solution of a z = b
    o.on(o.draw(size, "purpose"))      the same oracle on a mini-batch
    """

    def __init__(self, session, node, p, q, batch=0):
        self._s, self._node, self.p, self.q, self._batch = session, node, p, q, batch
        self._none = np.zeros(0)

    def _call(self, name, *arrays):
        parts, size = _parts(arrays)
        parts.insert(0, _FUNCTION.pack(size + 7, _ORACLE, _INDEX[name], self._batch, len(arrays)))
        self._s.pipe.send(b"".join(parts))
        return self._s.answer()

    def start(self):
        return tuple(self._call("start"))

    def f(self, x, y=()):
        return float(self._call("f", x, y)[0][0])

    def g(self, x, y=()):
        return float(self._call("g", x, y)[0][0])

    def grad_f_x(self, x, y=()):
        return self._call("grad_f_x", x, y)[0]

    def grad_f_y(self, x, y=()):
        return self._call("grad_f_y", x, y)[0]

    def grad_g_x(self, x, y=()):
        return self._call("grad_g_x", x, y)[0]

    def grad_g_y(self, x, y=()):
        return self._call("grad_g_y", x, y)[0]

    def hess_g_yy_mul(self, x, y, v):
        return self._call("hess_g_yy_mul", x, y, v)[0]

    def jac_g_xy_mul(self, x, y, v):
        return self._call("jac_g_xy_mul", x, y, v)[0]

    def hess_g_yy(self, x, y):
        return self._call("hess_g_yy", x, y)[0]

    def jac_g_xy(self, x, y):
        return self._call("jac_g_xy", x, y)[0]

    def factor(self, a):
        return float(self._call("factor", a)[0][0])

    def solve(self, c, b):
        return self._call("solve", [c], b)[0]

    def draw(self, size, purpose):
        if not size:
            return 0
        return int(self._s.call(_DRAW, struct.pack("<I", size) + purpose.encode())[0][0])

    def on(self, batch):
        return Oracle(self._s, self._node, self.p, self.q, batch)


_LONGEST_SLEEP = 1e9  # seconds; no run lasts longer than some 37 years
_MOST_STILL = 10_000  # no method needs so many sleeps of no time one after the other


class _Wait:
    """What a method yields."""

    def __init__(self, kind, phase, names, arrays, single, ids=()):
        self.kind, self.phase, self.names, self.arrays, self.single, self.ids = kind, phase, names, arrays, single, ids


class _Single(tuple):
    """What mix returns for one object with a name. Who computes with it takes it for the array."""

    def __new__(cls, wait, arrays):
        single = super().__new__(cls, arrays)
        single.wait = wait
        return single

    def _mistaken(self, *_, **__):
        phase, name = self.wait.phase, self.wait.names[0]
        raise TypeError(f'mix returned a tuple of one array, since it was given by name; write node.mix("{phase}", {name}), '
                        f'or {name}, = yield node.mix("{phase}", {name}={name})')

    __array__ = __array_ufunc__ = __getattr__ = _mistaken
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __matmul__ = __neg__ = _mistaken


class Node:
    """One node of the network, as its method sees it.

    id, nodes, neighbors, weights (of the neighbours), self_weight, role ("peer", "server", "client")
    m = yield node.mix("phase", v)               the weighted mean over the node and its neighbours
    m, = yield node.mix("phase", v=v)            the same, of an object with a name
    my, mx = yield node.mix("phase", y=y, x=x)   of several objects in one message
    got = yield node.exchange("phase", y=y)      {neighbour: the arrays it sent}
    sender, arrays = yield node.receive("phase", from_=[...])
    yield node.sleep(seconds)                    of simulated time
    node.send(to, "phase", y=y)                  does not wait
    node.report(k, x, y)                         after k outer iterations; report(0) is the start
    node.work(flops)                             local algebra that is not an oracle call
    node.rng                                     numpy's random numbers of this node and seed
    """

    def __init__(self, session, info, p, q):
        self._s, self._p, self._q = session, p, q
        self.id, self.nodes, self.role = info["id"], info["nodes"], info["role"]
        self.neighbors, self.weights, self.self_weight = info["neighbors"], info["weights"], info["self_weight"]
        self.rng = np.random.default_rng([info["seed"], info["id"]])
        self.reported = -1
        self._still = 0    # sleeps of no time in a row
        self.pending = []  # waits that were not yielded yet

    def _wait(self, kind, phase, vectors, named, ids=()):
        self._still = 0
        if not isinstance(phase, str):
            raise TypeError(f'{kind}: the first argument names the phase, as in node.{kind}("phase", x)')
        if len(vectors) > 1 or vectors and named:
            raise TypeError(f'{kind}: give several objects by name, as in node.{kind}("{phase}", y=y, x=x)')
        names = list(named) or [phase] * len(vectors)
        arrays = [_real(a) for a in list(named.values()) or vectors]
        return _Wait(kind, phase, names, arrays, bool(vectors), ids)

    def _later(self, wait):
        self.pending.append(wait)
        return wait

    def all_yielded(self):
        if self.pending:
            kind = self.pending[0].kind
            raise TypeError(f"node.{kind} was called without yield; write yield node.{kind}(...)")

    def mix(self, phase, *vectors, **named):
        wait = self._wait("mix", phase, vectors, named)
        if not wait.arrays:
            raise TypeError(f'mix: there is nothing to mix; write node.mix("{phase}", x)')
        return self._later(wait)

    def exchange(self, phase, *vectors, **named):
        return self._later(self._wait("exchange", phase, vectors, named))

    def receive(self, phase, from_=()):
        self._still = 0
        return self._later(_Wait("receive", phase, [], [], False, tuple(from_)))

    def sleep(self, seconds):
        seconds = float(seconds)
        if not 0 <= seconds <= _LONGEST_SLEEP:
            raise ValueError(f"sleep({seconds}): want seconds from 0 to {_LONGEST_SLEEP:g}")
        self._still = self._still + 1 if seconds < 0.5e-9 else 0
        if self._still == _MOST_STILL:
            raise RuntimeError(f"sleep({seconds}): {_MOST_STILL} sleeps of no time in a row: time stands still")
        return self._later(_Wait("sleep", "", [], [np.array([float(seconds)])], False))

    def send(self, to, phase, *vectors, **named):
        if to not in self.neighbors:
            raise ValueError(f"send: node {to} is not a neighbour of node {self.id}, whose neighbours are "
                             f"{list(self.neighbors)}")
        w = self._wait("send", phase, vectors, named)
        self._s.call(_SEND, _encode(w, (to,)))

    def work(self, flops):
        flops = float(flops)
        if not 0 <= flops < float("inf"):
            raise ValueError(f"work({flops}): want a finite number of FLOPs, at least 0")
        self._s.pipe.later(_WORK, _NUMBER.pack(flops))

    def report(self, k, x, y=()):
        self.all_yielded()
        x, y = _real(x), _real(y)
        if x.shape != (self._p,) or y.shape != (self._q,):
            raise ValueError(f"report({k}): x has the shape {x.shape} and y {y.shape}; want ({self._p},) and ({self._q},)")
        self._s.call(_REPORT, struct.pack("<I", k) + _pack([x, y]))
        self.reported = k


_heads = {}  # of waits, as frames have them


def _encode(w, ids=()):
    key = w.phase, tuple(w.names), tuple(ids or w.ids)
    head = _heads.get(key)
    if head is None:
        text = json.dumps({"phase": w.phase, "names": w.names, "ids": key[2]}).encode()
        if len(_heads) == 1000:
            _heads.clear()
        _heads[key] = head = struct.pack("<I", len(text)) + text
    return head + _pack(w.arrays)


class _Session:
    """A run of a method: the generators of all its nodes."""

    def __init__(self, pipe, init):
        self.pipe, self.init = pipe, init
        self.method = _named(_load(init["file"]), init["name"], "method")
        self.running, self.waits = {}, {}

    def call(self, op, body):
        self.pipe.write(op, body)
        return self.answer()

    def answer(self):
        got, body = self.pipe.read()
        if got == _OK:
            return _unpack(body)
        if got is None:
            os._exit(0)
        raise Remote(bytes(body).decode())

    def start(self, node, info):
        p, q = self.init["p"], self.init["q"]
        self.node = Node(self, info, p, q)
        program = self.method(self.node, Oracle(self, node, p, q), self.init["outer"], **self.init["args"])
        if not inspect.isgenerator(program):
            raise TypeError(f"{self.init['name']} is not a generator: it has no yield, so it never waits for a message")
        self.running[node] = (program, self.node)
        return program

    def resume(self, body):
        """Runs a node to its next wait, which is sent, or to its end."""
        (node,) = struct.unpack_from("<I", body)
        try:
            if node not in self.running:
                program, value = self.start(node, json.loads(bytes(body[4:]))), None
            else:
                program = self.running[node][0]
                value = self.value(self.waits[node], body)
            w = program.send(value)
        except StopIteration:
            self.running[node][1].all_yielded()
            self.pipe.write(_DONE)
            return
        if not isinstance(w, _Wait):
            raise TypeError(f"the method yields {w!r:.60}; only node.mix, exchange, receive and sleep are to be yielded")
        pending = self.running[node][1].pending
        pending[:] = [other for other in pending if other is not w]
        self.waits[node] = w
        self.pipe.write(_YIELD, bytes([_WAITS.index(w.kind)]) + _encode(w))

    def value(self, w, body):
        arrays = _unpack(body, 4)
        if w.kind == "mix":
            return arrays[0] if w.single else tuple(arrays) if len(arrays) > 1 else _Single(w, arrays)
        if w.kind == "sleep":
            return None
        count, at, got = int(arrays[0][0]), 1, {}
        for _ in range(count):
            sender, parts = (int(v) for v in arrays[at])
            got[sender] = arrays[at + 1:at + 1 + parts]
            at += 1 + parts
        if w.kind == "receive":
            sender = next(iter(got))
            return sender, got[sender]
        return got


# Problems


_folder = None  # of the user's file


def _load(path):
    global _folder
    _folder = os.path.dirname(os.path.abspath(path))
    sys.path.insert(0, _folder)
    spec = importlib.util.spec_from_file_location("tallynet_user", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["tallynet_user"] = module
    spec.loader.exec_module(module)
    return module


def _named(module, name, what):
    found = getattr(module, name, None)
    if not callable(found):
        raise AttributeError(f"the file has no {what} called {name}")
    return found


class _Problem:
    """A user's problem with all derivatives: by hand, by PyTorch or by JAX."""

    def __init__(self, init):
        module = _load(init["file"])
        self.user = _named(module, init["name"], "class")(init["nodes"], init["seed"], **init["args"])
        self.nodes = init["nodes"]
        self.p, self.q = int(self.user.p), int(self.user.q)
        x, y = (self.p,), (self.q,)
        self.shapes = dict(zip(_CALLS, [(), (), x, y, x, y, y, x, y + y, x + y]))
        self.by = self._framework()
        self.batched = hasattr(self.user, "samples")
        if init["check"]:
            self._check(init["seed"])

    def _framework(self):
        by = getattr(self.user, "framework", None)
        if by:
            return by
        if hasattr(self.user, "grad_f_x"):
            return "hand"
        for name in ("torch", "jax"):
            if name in sys.modules:
                return name
        raise AttributeError("the class has no derivatives: define grad_f_x, grad_f_y, grad_g_x, grad_g_y and, for "
                             "bilevel methods, hess_g_yy_mul and jac_g_xy_mul, or import torch or jax and write f and g "
                             "in their functions")

    def describe(self):
        info = {"p": self.p, "q": self.q, "by": self.by, "flops": [], "samples": [], "start": []}
        for name in _CALLS[:10]:
            if hasattr(self.user, "flops"):
                info["flops"].append(float(self.user.flops(name)))
            else:
                size = {"f": 1, "g": 1, "hess_g_yy": self.q, "jac_g_xy": self.q}.get(name, 2)
                info["flops"].append(2.0 * size * (self.p + self.q))
        for i in range(self.nodes):
            val, train = self.user.samples(i) if self.batched else (0, 0)
            info["samples"].append([int(val), int(train)])
            x, y = self.user.start(i) if hasattr(self.user, "start") else (np.zeros(self.p), np.zeros(self.q))
            info["start"].append([self._shaped("start", x, (self.p,)).tolist(), self._shaped("start", y, (self.q,)).tolist()])
        return info

    @staticmethod
    def _shaped(name, value, shape):
        a = value if type(value) is np.ndarray and value.dtype is _FLOAT else _real(value)
        if a.shape != shape:
            raise ValueError(f"{name} returned an array of shape {a.shape}; want {shape}")
        return a

    def call(self, name, node, x, y, v, batch):
        return self._shaped(name, self._value(name, node, x, y, v, batch), self.shapes[name])

    def _value(self, name, node, x, y, v, batch):
        user, more = self.user, ({"batch": batch} if self.batched else {})
        if name in ("hess_g_yy", "jac_g_xy") and not hasattr(user, name):
            columns = [self._value(name + "_mul", node, x, y, e, batch) for e in np.eye(self.q)]
            return np.array(columns).T.reshape(self.q if name == "hess_g_yy" else self.p, self.q)
        if self.by == "hand" or name in ("f", "g") and self.by != "torch" or hasattr(user, name) and name not in ("f", "g"):
            if name.endswith("_mul"):
                if not hasattr(user, name) and hasattr(user, name[:-4]):
                    return np.asarray(getattr(user, name[:-4])(node, x, y, **more)) @ v
                return getattr(user, name)(node, x, y, v, **more)
            return getattr(user, name)(node, x, y, **more)
        return (self._torch if self.by == "torch" else self._jax)(name, node, x, y, v, more)

    def _torch(self, name, node, x, y, v, more):
        import torch
        tx = torch.tensor(x, dtype=torch.float64, requires_grad=True)
        ty = torch.tensor(y, dtype=torch.float64, requires_grad=True)
        function = self.user.f if name == "f" or name.startswith("grad_f") else self.user.g
        value = function(node, tx, ty, **more)
        if name in ("f", "g"):
            return value.detach().numpy()

        def grad(of, by, graph=False):
            if not of.requires_grad:
                return torch.zeros_like(by)
            got = torch.autograd.grad(of, by, create_graph=graph, allow_unused=True)[0]
            return torch.zeros_like(by) if got is None else got

        if not name.endswith("_mul"):
            return grad(value, tx if name.endswith("x") else ty).detach().numpy()
        slope = grad(value, ty, True) @ torch.tensor(v, dtype=torch.float64)
        return grad(slope, ty if name.startswith("hess") else tx).detach().numpy()

    def _jax(self, name, node, x, y, v, more):
        import jax
        jax.config.update("jax_enable_x64", True)
        function = self.user.f if name.startswith("grad_f") else self.user.g
        if not name.endswith("_mul"):
            return jax.grad(lambda a, b: function(node, a, b, **more), 0 if name.endswith("x") else 1)(x, y)
        slope = lambda a, b: jax.grad(lambda c: function(node, a, c, **more))(b) @ v
        return jax.grad(slope, 1 if name.startswith("hess") else 0)(x, y)

    def _check(self, seed):
        """Compares derivatives along random directions with finite differences."""
        rng = np.random.default_rng(seed)
        for node in range(min(self.nodes, 3)):
            x, y = rng.standard_normal(self.p), rng.standard_normal(self.q)
            dx, dy, v = rng.standard_normal(self.p), rng.standard_normal(self.q), rng.standard_normal(self.q)
            h = 1e-5

            def along(of, in_x):
                a, b = (h * dx, 0 * dy) if in_x else (0 * dx, h * dy)
                return (of(x + a, y + b) - of(x - a, y - b)) / (2 * h)

            def compare(name, got, want):
                scale = 1 + abs(want)
                if not abs(got - want) <= 1e-5 * scale:
                    raise ValueError(f"{name} of node {node} is wrong: along a random direction it has {got:.8g}, and by "
                                     f"finite differences {want:.8g}")

            call = lambda name, a, b, w=None: self.call(name, node, a, b, w, None)
            for f in ("f", "g") if self.q else ("f",):
                for by, d, in_x in (("x", dx, True), ("y", dy, False)):
                    if in_x or self.q:
                        compare(f"grad_{f}_{by}", call(f"grad_{f}_{by}", x, y) @ d, along(lambda a, b: call(f, a, b), in_x))
            second = self.by != "hand" or any(hasattr(self.user, n) for n in ("hess_g_yy", "hess_g_yy_mul"))
            if self.q and second:
                slope = lambda a, b: call("grad_g_y", a, b) @ v
                compare("hess_g_yy_mul", call("hess_g_yy_mul", x, y, v) @ dy, along(slope, False))
                compare("jac_g_xy_mul", call("jac_g_xy_mul", x, y, v) @ dx, along(slope, True))


def _serve():
    global np, _FLOAT
    pipe = _Pipe()
    pipe.write(_OK, _MAGIC + struct.pack("<I", VERSION))
    try:
        import numpy
    except ImportError:
        pipe.write(_ERROR, b"numpy is missing for " + sys.executable.encode() + b": install it, as with pip install numpy")
        return
    np, _FLOAT = numpy, numpy.dtype("<f8")
    if hasattr(signal, "SIGUSR1"):
        import faulthandler
        faulthandler.register(signal.SIGUSR1, file=sys.stderr, all_threads=False)
    problem = session = None
    while True:
        op, body = pipe.read()
        if op is None:
            return
        try:
            if op == _INIT:
                init = json.loads(bytes(body))
                if init["mode"] == "problem":
                    problem = _Problem(init)
                    pipe.write(_OK, json.dumps(problem.describe()).encode())
                else:
                    session = _Session(pipe, init)
                    pipe.write(_OK)
            elif op == _CALL:
                name, node, size = struct.unpack_from("<BIi", body)
                batch = None
                if size >= 0:
                    batch = np.frombuffer(body, "<i4", size, 9).copy()
                x, y, v = _unpack(body, 9 + 4 * max(size, 0))
                parts, size = _parts([problem.call(_CALLS[name], node, x, y, v, batch)])
                pipe.send(b"".join([_HEAD.pack(size + 2, _OK), _COUNT.pack(1)] + parts))
            elif op == _RESUME:
                session.resume(body)
        except BaseException:  # exit() in the user's code is an error too
            pipe.write(_ERROR, _trace().encode(errors="backslashreplace"))


def _trace():
    """The error on one line, with its place in the user's file, and the whole traceback below."""
    kind, error, tb = sys.exc_info()
    frames = [f for f in traceback.extract_tb(tb) if f.filename != "<string>"]
    only = traceback.format_exception_only(kind, error)
    if not frames:
        return "".join(only)
    said, place = (only[0].splitlines() or [""])[0], ""
    if isinstance(error, SyntaxError):
        said, place = f"{kind.__name__}: {error.msg}", f"{error.filename}, line {error.lineno}"
    own = [f for f in frames if os.path.dirname(f.filename) == _folder]
    if own and not place:
        place = f"{own[-1].filename}, line {own[-1].lineno}, in {own[-1].name}"
    return (f"{said} ({place})\n" if place else said + "\n") + "Traceback (most recent call last):\n" + "".join(
        traceback.format_list(frames) + only)


# Results


def load(folder):
    """Reads a folder of results: .runs, .curves and .summary, data frames of pandas if it is there,
    otherwise lists of dicts; .result has result.json as it is."""
    return Results(folder)


class Results:
    """A folder of results.

    runs     one row for each run, as in runs.csv: algorithm, label, seed, the swept keys, and as numbers those with units
             (network.latency_s), status, iterations, final and total values, and costs to each target (to[0].time_s)
    curves   one row for each run and recorded iteration, as in iterations.csv
    summary  one row for each grid point and method: means over the seeds at the end; of costs to a target if all runs
             reached it, and to[0].reached is the share of those that did
    nodes, links, phases   the ledgers
    """

    def __init__(self, folder):
        self.folder = str(folder)
        with open(os.path.join(self.folder, "result.json"), encoding="utf-8") as f:
            self.result = json.load(f)
        self._rows = [_flat(k, run) for k, run in enumerate(self.result["runs"])]
        self._targets()
        self.runs = _frame(self._rows)
        self.summary = _frame(self._summary())

    def _table(self, name):
        with open(os.path.join(self.folder, name + ".csv"), encoding="utf-8", newline="") as f:
            return _frame([{k: _number(v) for k, v in row.items()} for row in csv.DictReader(f)])

    curves = property(lambda self: self._table("iterations"))
    nodes = property(lambda self: self._table("nodes"))
    links = property(lambda self: self._table("links"))
    phases = property(lambda self: self._table("phases"))

    def _targets(self):
        """Adds the costs to each target, in the order of first appearance."""
        known = []
        for row, run in zip(self._rows, self.result["runs"]):
            for attempt in run.get("targets") or []:
                conditions = attempt.get("conditions") or [attempt]
                target = " and ".join(f"{c['metric']} {c['relation']} {c['value']}" for c in conditions)
                target += ", kept" if attempt.get("kept") else ""
                if target not in known:
                    known.append(target)
                to, at = f"to[{known.index(target)}]", attempt.get("at")
                row[to + ".target"], row[to + ".reached"] = target, at is not None
                if at:
                    row[to + ".iterations"] = at["iteration"]
                    _flatten(row, to, at["totals"])

    def _summary(self):
        groups = {}
        for row, run in zip(self._rows, self.result["runs"]):
            settings = {**(run["point"] or {}), **(run.get("quantities") or {})}
            groups.setdefault((run["label"], json.dumps(settings)), []).append(row)
        rows = []
        for (label, settings), runs in groups.items():
            row = {"label": label, **json.loads(settings), "runs": len(runs),
                   "ended_well": sum(r["status"] in ("completed", "reached") for r in runs)}
            for name in dict.fromkeys(n for r in runs for n in r if n.startswith(("final.", "totals.", "to["))):
                values = [r[name] for r in runs if isinstance(r.get(name), (int, float))]
                if values and (len(values) == len(runs) or not name.startswith("to[")):
                    row[name] = sum(values) / len(values)
            rows.append(row)
        return rows


def _flat(k, run):
    row = {"run": k}
    for name in ("algorithm", "label", "seed", "status", "reason", "iterations", "hash"):
        row[name] = run[name]
    row.update(run["point"] or {})
    row.update(run.get("quantities") or {})
    for part in ("final", "totals"):
        _flatten(row, part, run.get(part) or {})
    return row


def _flatten(row, prefix, value):
    if isinstance(value, dict):
        for k, v in value.items():
            _flatten(row, f"{prefix}.{k}", v)
    else:
        row[prefix] = value


def _number(text):
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text or None


def _frame(rows):
    try:
        import pandas
    except ImportError:
        return rows
    return pandas.DataFrame(rows)


if __name__ == "__main__":
    sys.modules["tallynet"] = sys.modules["__main__"]
    _serve()
