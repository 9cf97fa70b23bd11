"""What the classifier sees of a text: asked of the Go code that serves it."""

import json
import subprocess
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sparse

from data import HERE

# The first buckets of words, pieces of words and concepts, and the number of all.
STARTS = [0, 1 << 16, 1 << 17]
BUCKETS = (1 << 17) + (1 << 15)


@dataclass
class Seen:
    grams: sparse.csr_matrix  # 1 where a gram occurs
    dense: np.ndarray

    def __getitem__(self, at):
        return Seen(self.grams[at], self.dense[at])


def see(turns):
    """What is seen of (message, prior turn) pairs: of the messages, of the prior
    turns, and of how they stand to each other."""
    text = "".join(json.dumps({"message": m, "prior_turn": p}) + "\n" for m, p in turns)
    command = ["go", "run", "./features"]
    out = subprocess.run(command, cwd=HERE, input=text, stdout=subprocess.PIPE, text=True, check=True).stdout
    seen = [json.loads(line) for line in out.splitlines()]
    return gather(seen[0::3]), gather(seen[1::3]), np.array([s["dense"] for s in seen[2::3]])


def gather(seen):
    grams = counts([s["grams"] or [] for s in seen], BUCKETS)
    return Seen(grams, np.array([s["dense"] for s in seen], dtype=np.float32))


def counts(rows, size):
    """A row of so many columns for each list of columns, with 1 at each."""
    columns = np.fromiter((column for row in rows for column in row), dtype=np.int32)
    starts = np.cumsum([0] + [len(row) for row in rows])
    return sparse.csr_matrix((np.ones(len(columns), dtype=np.float32), columns, starts), shape=(len(rows), size))
