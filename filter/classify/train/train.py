"""Fits the classifier's weights and writes them to ../weights.bin.

    python train.py                  # from what the repository holds
    python train.py --data FOLDER    # and from public data sets in that folder
"""

import argparse
import os
import sys
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before numpy: on shared cores more threads are far slower

import numpy as np
from sklearn.model_selection import GroupKFold

from data import HERE, N_TIERS, groups, public, written
from linear import LENT, SUMS, Linear, Scale, labelled
from report import report
from seen import see
from settle import Judged, settle
from trees import boost, follow_inputs, logits, tier_inputs
from weights import write

SEED = 7
FOLDS = 5
# Rounds of boosting, and rows in the smallest leaf.
TIERS = (200, 15)
FOLLOWS = (250, 10)
# How much more a turn counts that does not continue: there are fewer of them.
RARER = 1.5


def timed(what, start=time.monotonic()):
    print(f"{time.monotonic() - start:4.0f} s  {what}", file=sys.stderr, flush=True)


class Training:
    def __init__(self, rows):
        self.rows = rows
        self.messages, self.priors, self.pairs = see([(r.message, r.prior) for r in rows])
        self.group = np.array(groups(rows))
        self.weight = np.array([r.weight for r in rows])
        self.tier = np.array([r.tier for r in rows])
        self.alone = np.array([r.alone for r in rows])
        self.own = self.alone >= 0
        self.kind = np.array([{"": -1, "continues": 1}.get(r.kind, 0) for r in rows])
        self.source = np.array([r.source for r in rows])
        # What the tier of prior turns is learned from: prior turns, and messages.
        is_prior = self.source == "priors"
        self.priorlike = is_prior | self.own & (self.kind != 1)
        self.prior_weight = np.where(is_prior, 1.0, LENT * self.weight)

    def linear(self, at):
        return Linear(Scale.of(self.messages[at])).fit(labelled(self, at))

    def forests(self, inputs, at):
        own, follow, prior = at[self.own[at]], at[self.kind[at] >= 0], at[self.priorlike[at]]
        return (
            boost(inputs[0][own], self.alone[own], self.weight[own], *TIERS, SEED),
            boost(inputs[1][follow], self.kind[follow], np.where(self.kind[follow] == 1, 1, RARER), *FOLLOWS, SEED),
            boost(inputs[0][prior], self.tier[prior], self.prior_weight[prior], *TIERS, SEED),
        )

    def folds(self, shift):
        split = GroupKFold(FOLDS, shuffle=True, random_state=SEED + shift)
        return split.split(self.group, self.group, self.group)

    def unseen_sums(self):
        """The first stage's sums of every row, by a model without its group."""
        judged = Judged(*(np.zeros((len(self.rows), SUMS)) for _ in range(2)))
        for known, new in self.folds(0):
            linear = self.linear(known)
            judged.sums[new], judged.prior_sums[new] = linear(self.messages[new]), linear(self.priors[new])
        return judged

    def inputs(self, judged):
        """What the trees see: of messages, of both turns, and of prior turns."""
        return (
            tier_inputs(self.messages, judged.sums),
            follow_inputs(self.messages, self.priors, self.pairs, judged.sums, judged.prior_sums),
            tier_inputs(self.priors, judged.prior_sums),
        )

    def judge(self, judged, inputs):
        """The second stage's answers of every row, by trees without its group."""
        judged.tiers, judged.prior_tiers = (np.zeros((len(self.rows), N_TIERS)) for _ in range(2))
        judged.follows = np.zeros(len(self.rows))
        for known, new in self.folds(1):
            tiers, follows, priors = self.forests(inputs, known)
            judged.tiers[new], judged.prior_tiers[new] = logits(tiers, inputs[0][new]), logits(priors, inputs[2][new])
            judged.follows[new] = logits(follows, inputs[1][new])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", metavar="FOLDER", help="public data sets to train with")
    args = parser.parse_args()
    training = Training(written() + (public(args.data) if args.data else []))
    timed("texts are read")
    judged = training.unseen_sums()
    timed("first stage")
    inputs = training.inputs(judged)
    training.judge(judged, inputs)
    timed("second stage")
    settings = settle(training, judged)
    print(report(training, judged, settings))
    every = np.arange(len(training.rows))
    write(HERE.parent / "weights.bin", training.linear(every), training.forests(inputs, every), settings)


if __name__ == "__main__":
    main()
