"""What training says about rows that the model had not seen: the numbers that
choices are made by."""

import numpy as np
from scipy.special import expit

from settle import decide, inherit, tiers


def report(training, judged, settings):
    """A line for each source, and one for each way to stand to a prior turn."""
    own, before = (tiers(x, settings.temperature) for x in (judged.tiers, judged.prior_tiers))
    alone = decide(own, settings.doubt)
    both = decide(inherit(own, before, expit(judged.follows)), settings.doubt)
    kind = np.array([r.kind for r in training.rows])
    out = [str(settings)]
    for name in dict.fromkeys(training.source):
        at = training.own & (training.source == name) & (kind != "continues")
        if at.any():
            out.append(line(name, alone[at], training.tier[at]))
    for name in ("continues", "own", "no_inherit"):
        at = kind == name
        told = np.mean((judged.follows[at] > 0) == (name == "continues"))
        out.append(line(name, both[at], training.tier[at]) + f", told {told:.3f}")
    return "\n".join(out)


def line(name, got, want):
    off = got - want
    return f"{name:14} {len(off):5} right {np.mean(off == 0):.3f} under {np.mean(off < 0):.3f} far {np.mean(abs(off) > 1):.3f}"
