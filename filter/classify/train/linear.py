"""The first stage: grams and plain signals, weighed by logistic regression."""

import warnings
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import normalize

from data import CATEGORIES, TIERS
from seen import BUCKETS

warnings.filterwarnings("ignore", category=ConvergenceWarning)

WORDS = BUCKETS // 2  # the lower half of the buckets are words, the upper half pieces
RAREST = 2  # a gram of fewer texts says nothing
OUTPUTS = len(TIERS) + len(CATEGORIES) + 1  # tier, category, continues


@dataclass
class Scale:
    """How the inputs of the first stage are scaled, from what is typical."""

    idf: np.ndarray
    mean: np.ndarray
    deviation: np.ndarray

    @staticmethod
    def of(seen):
        counts = np.asarray(seen.grams.sum(axis=0)).ravel()
        idf = np.log((1 + seen.grams.shape[0]) / (1 + counts)) + 1
        idf = np.round(np.clip(idf, 0, 15.9) * 16) / 16  # as it is kept: a byte in sixteenths
        idf[counts < RAREST] = 0
        return Scale(idf, seen.dense.mean(axis=0), 10 * (seen.dense.std(axis=0) + 1e-3))

    def __call__(self, seen):
        grams = sparse.csr_matrix(seen.grams.multiply(self.idf))
        halves = [normalize(grams[:, :WORDS]), normalize(grams[:, WORDS:])]
        return sparse.hstack([*halves, sparse.csr_matrix((seen.dense - self.mean) / self.deviation)]).tocsr()


class Linear:
    """Weights for every output, by gram and by plain signal."""

    def __init__(self, scale):
        self.scale = scale
        self.weights = np.zeros((BUCKETS + len(scale.mean), OUTPUTS))
        self.bias = np.zeros(OUTPUTS)

    def fit(self, seen, labels, strength):
        """labels: for each run of outputs, the rows that have a label, and it."""
        inputs = self.scale(seen)
        for (first, count), (at, label, weight) in labels.items():
            used = np.flatnonzero(np.asarray(np.abs(inputs[at]).sum(axis=0)).ravel())
            model = LogisticRegression(C=strength, max_iter=60, tol=3e-3)
            model.fit(inputs[at][:, used], label, sample_weight=weight)
            # Of two classes scikit-learn keeps one row.
            outputs = first + model.classes_ if count > 1 else [first]
            self.weights[np.ix_(used, outputs)] = model.coef_.T
            self.bias[outputs] = model.intercept_
        return self

    def __call__(self, seen):
        return self.scale(seen) @ self.weights + self.bias


def labelled(rows, at):
    """The labels of some rows for each run of outputs; positions are within at."""
    own = np.array([rows[i].kind != "continues" and rows[i].alone >= 0 for i in at])
    def run(name, allowed):
        value = np.array([getattr(rows[i], name) for i in at])
        chosen = np.flatnonzero(allowed & (value >= 0))
        return chosen, value[chosen], np.array([rows[at[i]].weight for i in chosen])

    every = np.ones(len(at), dtype=bool)
    # A text without a prior turn does not go on with one; there are many of them.
    follow = np.flatnonzero([bool(rows[i].kind) or not rows[i].prior and rows[i].tier >= 0 for i in at])
    kinds = np.array([int(rows[at[i]].kind == "continues") for i in follow])
    care = np.array([1.0 if rows[at[i]].kind else 0.1 for i in follow])
    return {
        (0, len(TIERS)): run("alone", every),
        (len(TIERS), len(CATEGORIES)): run("category", own),
        (len(TIERS) + len(CATEGORIES), 1): (follow, kinds, care),
    }
