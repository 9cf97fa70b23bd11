"""Writes what weights.go reads."""

import numpy as np

from linear import BUCKETS, OUTPUTS
from trees import packed

# As lanes.go reads them: a row of weights has so many bytes, of which ZERO is zero.
STRIDE, ZERO = 32, 128


def write(path, linear, forests, settings):
    """One file: settings, biases, scales and dense weights as numbers of four
    bytes, then the rarity of each gram and its weights as single bytes, then the
    trees."""
    scale = linear.scale
    dense = linear.weights[BUCKETS:] / scale.deviation[:, None]
    bias = linear.bias - scale.mean @ dense
    grams = linear.weights[:BUCKETS] * scale.idf[:, None]
    step = np.abs(grams).max(axis=0) / 127 + 1e-12
    with open(path, "wb") as file:
        for part in (settings.numbers(), bias, step, dense):
            file.write(np.asarray(part, dtype="<f4").tobytes())
        file.write(np.round(scale.idf * 16).astype(np.uint8).tobytes())
        rows = np.full((BUCKETS, STRIDE), ZERO, dtype=np.uint8)
        rows[:, :OUTPUTS] += np.round(grams / step).astype(np.int8).view(np.uint8)
        file.write(rows.tobytes())
        for forest in forests:
            file.write(packed(forest))
    assert dense.shape[1] == OUTPUTS
