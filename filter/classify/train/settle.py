"""The last stage: the few numbers that turn sums into a decision, fitted on sums
of rows that the stages before had not seen."""

from dataclasses import dataclass, fields
from itertools import product

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import expit, softmax
from sklearn.linear_model import Ridge

from data import CATEGORIES, TIERS

N = len(TIERS)
CONTINUES = N + len(CATEGORIES)
# How many may get too low a tier: under-routing costs more than over-routing.
UNDER = 0.08
COUNTS = 22  # of the plain signals, those that are neither cues nor kinds of lines
# How strongly the weights of hardness are held back.
RIDGE = 10.0
# The sources that look most like what people send.
JUDGED = ["general", "general2", "software", "software2", "multilingual", "multilingual2", "rules"]


@dataclass
class Settings:
    """In the order of the file; settings.go says what each means."""

    temperature: float = 1.0
    doubt: tuple = (0.5, 0.5, 0.5)
    category_scale: float = 1.0
    hard_bias: float = 0.0
    hard: np.ndarray = None

    def numbers(self):
        return np.hstack([getattr(self, field.name) for field in fields(self)]).astype("<f4")

    def __str__(self):
        return f"temperature {self.temperature:.3f}, doubt {np.round(self.doubt, 2)}, category scale {self.category_scale}"


def tiers(sums, temperature):
    return softmax(sums / temperature, axis=1)


def inherit(own, before, on):
    """The tiers of messages that continue a turn with the probability on: at
    least the turn's."""
    both = np.diff(np.cumsum(own, axis=1) * np.cumsum(before, axis=1), axis=1, prepend=0)
    return (1 - on[:, None]) * own + on[:, None] * both


def categories(sums):
    return softmax(sums[:, N:CONTINUES], axis=1)


def decide(shares, doubt):
    """The lowest tier above which little is probable, as in judge.go."""
    above = 1 - np.cumsum(shares, axis=1)[:, :-1]
    return np.cumprod(above > np.array(doubt), axis=1).sum(axis=1)


@dataclass
class Judged:
    """What the stages before say of rows that they had not seen."""

    sums: np.ndarray
    prior_sums: np.ndarray
    tiers: np.ndarray = None
    prior_tiers: np.ndarray = None
    follows: np.ndarray = None  # of rows with a prior turn


def settle(rows, messages, judged, own):
    """Fits the settings; own are the rows that are judged by themselves."""
    s = Settings()
    tier = np.array([r.tier for r in rows])
    source = np.array([r.source for r in rows])
    at = np.flatnonzero(own & np.isin(source, JUDGED))
    s.temperature = minimize_scalar(
        lambda t: -np.log(tiers(judged.tiers[at], t)[range(len(at)), tier[at]] + 1e-9).mean(), bounds=(0.3, 3), method="bounded"
    ).x
    pairs = np.flatnonzero([bool(r.kind) for r in rows])
    goes = expit(judged.follows[pairs])
    shares, before = (tiers(x, s.temperature) for x in (judged.tiers, judged.prior_tiers))
    followed = inherit(shares[pairs], before[pairs], goes)
    s.doubt = doubts(np.vstack([shares[at], followed]), np.hstack([tier[at], tier[pairs]]))

    category = np.array([r.category for r in rows])[pairs]
    kinds = [categories(x[pairs]) for x in (judged.sums, judged.prior_sums)]
    s.category_scale = max(
        (0.5, 0.75, 1, 1.5, 2, 3), key=lambda c: np.mean((kinds[0] + c * goes[:, None] * kinds[1]).argmax(axis=1) == category)
    )
    at = np.flatnonzero(source == "pairs")
    s.hard_bias, s.hard = hardness([rows[i] for i in at], hard_inputs(messages[at], shares[at], judged.sums[at]))
    return s


def doubts(shares, wanted):
    """Those that have most right among those that have few enough too low."""
    steps = np.arange(0.2, 0.62, 0.03)
    fine = [d for d in product(steps, steps, steps) if np.mean(decide(shares, d) < wanted) <= UNDER]
    return max(fine, key=lambda doubt: np.mean(decide(shares, doubt) == wanted))


def hard_inputs(messages, shares, sums):
    return np.hstack([messages.dense[:, -COUNTS:], shares, categories(sums)])


def hardness(rows, inputs):
    """What tells questions that only the strong model of two answers right from
    those that only the weak one does."""
    if not rows:
        return 0.0, np.zeros(inputs.shape[1])
    deviation = inputs.std(axis=0) + 1e-3
    model = Ridge(alpha=RIDGE).fit((inputs - inputs.mean(axis=0)) / deviation, [int(r.strong) - int(r.weak) for r in rows])
    weights = model.coef_ / deviation
    return model.intercept_ - inputs.mean(axis=0) @ weights, weights
