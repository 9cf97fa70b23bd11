"""The last stage: the few numbers that turn sums into a decision, fitted on sums
of rows that the stages before had not seen."""

from dataclasses import dataclass, fields
from itertools import product

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import expit, softmax

from data import CATEGORIES
from linear import CATEGORY, CONTINUES

CHAT = CATEGORIES.index("chat")
# How many may get too low a tier: under-routing costs more than over-routing.
UNDER = 0.08
# The sources that look least like what people send, or are no messages.
NOT_JUDGED = ["real", "templates", "priors"]


@dataclass
class Settings:
    """In the order of the file; settings.go says what each means."""

    temperature: float = 1.0
    doubt: tuple = (0.5, 0.5, 0.5)
    category_share: float = 1.0
    category_sure: float = 1.0

    def numbers(self):
        return np.hstack([getattr(self, field.name) for field in fields(self)]).astype("<f4")

    def __str__(self):
        return f"temperature {self.temperature:.3f}, doubt {np.round(self.doubt, 2)}, category {self.category_share}, {self.category_sure}"


def tiers(sums, temperature):
    return softmax(sums / temperature, axis=1)


def inherit(own, before, on):
    """The tiers of messages that continue a turn with the probability on: at
    least the turn's."""
    both = np.diff(np.cumsum(own, axis=1) * np.cumsum(before, axis=1), axis=1, prepend=0)
    return (1 - on[:, None]) * own + on[:, None] * both


def categories(sums):
    return softmax(sums[:, CATEGORY:CONTINUES], axis=1)


def continued(own, before, on, share, sure):
    """The categories of messages that continue a turn with the probability on, as in
    judge.go: those of the turn, and the message's own where it names work; alone
    where it surely does."""
    work = own.copy()
    work[:, CHAT] = 0
    before = np.where(work.max(axis=1, keepdims=True) > sure, 0, before)
    return (1 - on[:, None]) * own + on[:, None] * (share * work + before)


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


def settle(t, judged):
    """Fits the settings to a training's rows."""
    s = Settings()
    alone = np.array([not r.prior for r in t.rows])
    at = np.flatnonzero(t.own & alone & ~np.isin(t.source, NOT_JUDGED))
    s.temperature = minimize_scalar(
        lambda warmth: -np.log(tiers(judged.tiers[at], warmth)[range(len(at)), t.tier[at]] + 1e-9).mean(), bounds=(0.3, 3), method="bounded"
    ).x
    pairs = np.flatnonzero(t.kind >= 0)
    goes = expit(judged.follows[pairs])
    shares, before = (tiers(x, s.temperature) for x in (judged.tiers, judged.prior_tiers))
    followed = inherit(shares[pairs], before[pairs], goes)
    s.doubt = doubts(np.vstack([shares[at], followed]), np.hstack([t.tier[at], t.tier[pairs]]))

    category = np.array([t.rows[i].category for i in pairs])
    kinds, prior_kinds = (categories(x[pairs]) for x in (judged.sums, judged.prior_sums))
    s.category_share, s.category_sure = max(
        product((0.25, 0.5, 0.75, 1, 1.5), (0.5, 0.6, 0.7, 0.8, 0.9)),
        key=lambda choice: np.mean(continued(kinds, prior_kinds, goes, *choice).argmax(axis=1) == category),
    )
    return s


def doubts(shares, wanted):
    """Those that have most right among those that have few enough too low."""
    steps = np.arange(0.2, 0.62, 0.03)
    fine = [d for d in product(steps, steps, steps) if np.mean(decide(shares, d) < wanted) <= UNDER]
    return max(fine, key=lambda doubt: np.mean(decide(shares, doubt) == wanted))
