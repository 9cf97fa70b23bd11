"""Judges the classifier on turns that it was not trained on, beside simpler ones.

    python evaluate.py                  # on the gold set
    python evaluate.py --dev            # on the set that choices are made by
    python evaluate.py --data FOLDER    # and on public data sets in that folder

One table. Shares are of 1. "under-routed" is a tier too low, "far off" a tier
wrong by more than one. A pair is one follow-up after an easy and after a hard
turn, right only where both are. Microseconds are the model's in Go on one core,
and the others' in Python.
"""

import argparse
import os
import random
from collections import defaultdict

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before numpy: on shared cores more threads are far slower

import numpy as np
from sklearn.metrics import cohen_kappa_score, f1_score

from baselines import Keywords, Length, Model, Tfidf
from data import HERE, lines, public, tier, written

SEED = 11


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", metavar="FOLDER", help="public data sets to train the others with, and to judge on")
    parser.add_argument("--dev", action="store_true", help="judge on dev.jsonl, by which choices are made, instead of gold.jsonl")
    args = parser.parse_args()
    rows = [r for r in written() + (public(args.data) if args.data else []) if r.tier >= 0 and r.kind != "continues"]
    gold = lines(HERE / ("dev.jsonl" if args.dev else "gold.jsonl"))
    table = {}
    for system in (Model(), Length(rows), Keywords(), Tfidf(rows)):
        table[system.name] = on_gold(system, gold) | (on_public(system, args.data) if args.data else {})
    show(table)


def show(table):
    names = list(table)
    print(f"{'':26}" + "".join(f"{name:>22}" for name in names))
    for measure in table[names[0]]:
        print(f"{measure:26}" + "".join(f"{table[name][measure]:>22}" for name in names))


def on_gold(system, gold):
    turns = [(r["message"], r.get("prior_turn", "")) for r in gold]
    want = np.array([tier(r["tier"]) for r in gold])
    kind = np.array([r["kind"] for r in gold])
    answers = system(turns)
    got, right = answers.tiers, answers.tiers == want
    alone = kind != "pair"

    def share(values):
        return f"{np.mean(values):.3f}"

    return {
        "accuracy": share(right),
        "macro-F1": f"{f1_score(want, got, average='macro'):.3f}",
        "quadratic kappa": f"{cohen_kappa_score(want, got, weights='quadratic'):.3f}",
        "under-routed": share(got < want),
        "far off": share(abs(got - want) > 1),
        "calibration error": "-" if answers.confidence is None else f"{calibration(answers.confidence, right):.3f}",
        "accuracy, turns": share(right[kind == "turn"]),
        "accuracy, agents": share(right[kind == "agent"]),
        "accuracy, pairs": share(right[kind == "pair"]),
        "pairs right": share(together(gold, right, "pair")),
        "no_inherit right": share(right[kind == "no_inherit"]),
        "languages agree": share(agreement(gold, got)),
        "flips under typos": share(flips(system, turns, got, [mistyped(m) for m, _ in turns])),
        "flips under paraphrase": share(flips(system, turns, got, [r.get("paraphrase") for r in gold])),
        "microseconds p50": f"{np.percentile(answers.microseconds[alone], 50):.0f}",
        "microseconds p99": f"{np.percentile(answers.microseconds[alone], 99):.0f}",
    }


def calibration(confidence, right):
    """The expected calibration error over ten equal bins."""
    bins = np.minimum((confidence * 10).astype(int), 9)
    return sum(abs(confidence[bins == b].mean() - right[bins == b].mean()) * np.mean(bins == b) for b in np.unique(bins))


def grouped(gold, kind):
    found = defaultdict(list)
    for i, r in enumerate(gold):
        if r["kind"] == kind and "group" in r:
            found[r["group"]].append(i)
    return found.values()


def together(gold, right, kind):
    return [right[group].all() for group in grouped(gold, kind)]


def agreement(gold, got):
    return [len(set(got[group])) == 1 for group in grouped(gold, "turn")]


def flips(system, turns, got, changed):
    """Whether the tier changes where the message is put in other words."""
    at = [i for i, text in enumerate(changed) if text]
    other = system([(changed[i], turns[i][1]) for i in at])
    return got[at] != other.tiers


def mistyped(message):
    """The message as it comes from a hurried keyboard: in every twelfth word two
    letters change places, one is left out or one is doubled."""
    words = message.split(" ")
    chance = random.Random(f"{SEED} {message}")
    long = [i for i, word in enumerate(words) if len(word) > 3]
    for i in chance.sample(long, -(-len(long) // 12)):
        word, at = words[i], chance.randrange(1, len(words[i]) - 1)
        words[i] = chance.choice(
            (word[:at] + word[at + 1] + word[at] + word[at + 2 :], word[:at] + word[at + 1 :], word[:at] + word[at] + word[at:])
        )
    return " ".join(words)


def on_public(system, folder):
    templates = lines(f"{folder}/tiers-dev.jsonl.xz")
    got = system([(r["prompt"], "") for r in templates]).tiers
    f1 = f1_score([tier(r["expected_tier"]) for r in templates], got, average="macro")
    return {"macro-F1, tiers-dev": f"{f1:.3f}"} | ranking(system, lines(f"{folder}/route-pairs-dev.jsonl.xz"))


def ranking(system, questions):
    """How well difficulty ranks questions that a weak and a strong model answered;
    intervals are of drawing other subjects."""
    prompts = [r["prompt"] for r in questions]
    difficulty, length = system([(p, "") for p in prompts]).difficulty, np.array([len(p) for p in prompts])
    weak, strong = (np.array([r[name] for r in questions]) for name in ("weak", "strong"))
    subject = np.array([r["group"] for r in questions])
    members = [np.flatnonzero(subject == s) for s in np.unique(subject)]
    chance = np.random.default_rng(SEED)
    samples = []
    for drawn in chance.integers(0, len(members), (500, len(members))):
        at = np.concatenate([members[s] for s in drawn])
        samples.append([apgr(ranks[at], weak[at], strong[at]) for ranks in (difficulty, length)])
    own, other = np.array(samples).T

    def interval(values):
        return "({:.3f}-{:.3f})".format(*np.percentile(values, [2.5, 97.5]))

    return {
        "APGR": f"{apgr(difficulty, weak, strong):.3f} {interval(own)}",
        "APGR above length": f"{apgr(difficulty, weak, strong) - apgr(length, weak, strong):+.3f} {interval(own - other)}",
    }


def apgr(difficulty, weak, strong):
    """How much of the gap between a weak and a strong model is won on average,
    when from none to all of the questions, the most difficult first, go to the
    strong one: 0.5 is chance. (RouteLLM, Ong et al., 2024.)"""
    order = np.argsort(-difficulty, kind="stable")
    gain = np.cumsum((strong.astype(float) - weak)[order])
    return np.mean(np.hstack([0, gain]) / gain[-1])


if __name__ == "__main__":
    main()
