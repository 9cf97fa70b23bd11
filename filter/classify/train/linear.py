"""The first stage: grams and plain signals, weighed by logistic regression."""

import warnings
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import scipy.sparse as sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import normalize

from data import BRIEF, CATEGORIES, TIERS
from seen import BUCKETS, STARTS

warnings.filterwarnings("ignore", category=ConvergenceWarning)

RAREST = 2  # a gram of fewer texts says nothing
# What is said of a text: its tier, its category, that it continues a prior turn;
# and of a text as a prior turn: the tier of its work, that it invites an answer.
TIER, CATEGORY, CONTINUES = 0, len(TIERS), len(TIERS) + len(CATEGORIES)
PRIOR_TIER, INVITES = CONTINUES + 1, CONTINUES + 1 + len(TIERS)
OUTPUTS = INVITES + 1
# The outputs of which is told what words, pieces, concepts and plain signals add:
# a language may be known better by one of them than by another.
TIERLIKE = [*range(TIER, TIER + len(TIERS)), *range(PRIOR_TIER, PRIOR_TIER + len(TIERS))]
SUMS = OUTPUTS + (len(STARTS) + 1) * len(TIERLIKE)
# How little the weights are held back, and those of plain signals by so much more.
STRENGTH = 2.0
DENSER = 20
# How long a fit goes on.
PATIENT, HASTY = {"max_iter": 400, "tol": 1e-4}, {"max_iter": 60, "tol": 3e-3}
# How much a message counts for the tier of prior turns.
LENT = 0.3


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
        return Scale(idf, seen.dense.mean(axis=0), DENSER * (seen.dense.std(axis=0) + 1e-3))

    def __call__(self, seen):
        grams = sparse.csr_matrix(seen.grams.multiply(self.idf))
        parts = [normalize(grams[:, start:end]) for start, end in pairwise([*STARTS, BUCKETS])]
        return sparse.hstack([*parts, sparse.csr_matrix((seen.dense - self.mean) / self.deviation)]).tocsr()


class Linear:
    """Weights for every output, by gram and by plain signal."""

    def __init__(self, scale):
        self.scale = scale
        self.weights = np.zeros((BUCKETS + len(scale.mean), OUTPUTS))
        self.bias = np.zeros(OUTPUTS)

    def fit(self, labels):
        """labels: for each run of outputs, the texts that have a label, it, and how
        much it counts."""
        for (first, count), (seen, label, weight) in labels.items():
            inputs = self.scale(seen)
            used = np.flatnonzero(np.asarray(np.abs(inputs).sum(axis=0)).ravel())
            # Categories decide little, and take longest.
            patience = HASTY if first == CATEGORY else PATIENT
            model = LogisticRegression(C=STRENGTH, **patience)
            model.fit(inputs[:, used], label, sample_weight=weight)
            # Of two classes scikit-learn keeps one row.
            outputs = first + model.classes_ if count > 1 else [first]
            self.weights[np.ix_(used, outputs)] = model.coef_.T
            self.bias[outputs] = model.intercept_
        return self

    def __call__(self, seen):
        """The sums of every output, and what each kind of input adds to the tiers."""
        inputs = self.scale(seen)
        edges = [*STARTS, BUCKETS, inputs.shape[1]]
        parts = [inputs[:, start:end] @ self.weights[start:end] for start, end in pairwise(edges)]
        # Plain signals count from zero, as in weights.go.
        middle = self.scale.mean / self.scale.deviation @ self.weights[BUCKETS:]
        parts[-1] = parts[-1] + middle
        return np.hstack([sum(parts) + self.bias - middle, *(part[:, TIERLIKE] for part in parts)])


def labelled(t, at):
    """The labels of some rows of a training for each run of outputs."""
    rows = [t.rows[i] for i in at]
    category = np.array([r.category for r in rows])
    brief = np.array([len(r.message) <= BRIEF for r in rows])
    # A text without a prior turn does not go on with one; there are many of them.
    lone = np.array([not r.prior and r.tier >= 0 for r in rows])
    has_kind, continues, every = t.kind[at] >= 0, (t.kind[at] == 1).astype(int), np.ones(len(at), dtype=bool)

    def run(texts, label, allowed, weight):
        chosen = np.flatnonzero(allowed & (label >= 0))
        return texts[at[chosen]], label[chosen], weight[chosen]

    return {
        (TIER, len(TIERS)): run(t.messages, t.alone[at], every, t.weight[at]),
        (CATEGORY, len(CATEGORIES)): run(t.messages, category, t.own[at] & (continues == 0), t.weight[at]),
        (CONTINUES, 1): run(t.messages, continues, has_kind | lone, np.where(has_kind, 1.0, 0.1)),
        (PRIOR_TIER, len(TIERS)): run(t.messages, t.tier[at], t.priorlike[at], t.prior_weight[at]),
        # A brief answer shows best whether there was anything to answer.
        (INVITES, 1): run(t.priors, continues, has_kind, np.where(brief, 1.0, 0.2)),
    }
