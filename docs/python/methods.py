"""Three methods of the program, written again in Python.

Their counts, rounds, oracle calls and simulated times are those of the built-in ones, and their
iterates agree to rounding.
"""
import numpy as np


def gradient_tracking(node, o, outer, alpha):
    x, _ = o.start()
    before = o.grad_f_x(x)
    t = before
    node.report(0, x)
    for k in range(1, outer + 1):
        mx, mt = yield node.mix("outer", x=x, t=t)
        x = mx - alpha * t
        g = o.grad_f_x(x)
        t = mt + g - before
        before = g
        node.report(k, x)


def dagm(node, o, outer, inner, neumann, alpha, beta):
    x, y = o.start()
    node.report(0, x, y)
    w, q = node.self_weight, o.q
    for k in range(1, outer + 1):
        for t in range(inner):
            if t == 0:  # x rides with the first y
                my, mx = yield node.mix("inner", y=y, x=x)
            else:
                my, = yield node.mix("inner", y=y)
            y = my - beta * o.grad_g_y(x, y)
        # DIHGP: a Neumann series for ((I - W) + beta H) h = -grad_y f, split at D = beta H + 2 (1 - w) I
        fy = o.grad_f_y(x, y)
        d = beta * o.hess_g_yy(x, y) + 2 * (1 - w) * np.eye(q)
        node.work(2 * q * q)
        d = o.factor(d)
        h = o.solve(d, -fy)
        for _ in range(neumann):
            m = yield node.mix("dihgp", h)
            h = o.solve(d, -fy + (1 - 2 * w) * h + m)
        x = mx - alpha * (o.grad_f_x(x, y) + beta * o.jac_g_xy_mul(x, y, h))
        node.report(k, x, y)


def ma_dbo(node, o, outer, inner, higp, alpha, eta_y, gamma, theta):
    x, y = o.start()
    m, z = np.zeros(o.p), np.zeros(o.q)
    node.report(0, x, y)
    for k in range(1, outer + 1):
        for t in range(inner):
            if t == 0:
                my, mx = yield node.mix("inner", y=y, x=x)
            else:
                my, = yield node.mix("inner", y=y)
            y = my - eta_y * o.grad_g_y(x, y)
        # HIGP: gradient tracking on 1/2 z'Hz - z'grad_y f
        fy = o.grad_f_y(x, y)
        s = o.hess_g_yy_mul(x, y, z) - fy
        d = s
        for t in range(higp):
            mz, md = yield node.mix("higp", z=z, d=d)
            z = mz - gamma * d
            if t < higp - 1:  # the last tracker is not needed
                new = o.hess_g_yy_mul(x, y, z) - fy
                d, s = md + new - s, new
        u = o.grad_f_x(x, y) - o.jac_g_xy_mul(x, y, z)
        x = mx - alpha * m
        m = (1 - theta) * m + theta * u
        node.report(k, x, y)
