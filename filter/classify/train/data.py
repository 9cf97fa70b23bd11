"""What the classifier is trained on: rows of text, labels and groups."""

import hashlib
import json
import lzma
import re
from dataclasses import dataclass
from pathlib import Path

SHOWN = 200  # how many characters of a prior turn a classifier sees
BRIEF = 20  # characters: "yes, go ahead"
HERE = Path(__file__).parent
TIERS = ["simple", "medium", "complex", "reasoning"]
CATEGORIES = [
    "chat", "factual_qa", "summarization", "rewriting", "translation", "extraction", "brainstorming", "creative",
    "coding_general", "code_review", "debugging", "refactoring", "testing", "documentation", "system_design",
    "data_analysis", "math", "proof", "agentic",
]  # fmt: skip
N_TIERS = len(TIERS)
KINDS = {"turn": "", "inherits": "continues", "fresh": "no_inherit"}


@dataclass
class Row:
    source: str
    message: str
    tier: int = -1  # -1: not known
    category: int = -1
    prior: str = ""
    prior_tier: int = -1
    kind: str = ""  # continues, own or no_inherit, where there is a prior turn
    lang: str = ""
    group: str = ""
    weight: float = 1.0

    @property
    def alone(self):
        """The tier of the message by itself, -1 where it is not known. What goes
        on with a turn has the turn's tier: a brief message adds nothing
        to it, of a long one it is not known what it adds."""
        if self.kind == "continues":
            if self.tier > self.prior_tier >= 0:
                return self.tier
            return 0 if len(self.message) <= BRIEF else -1
        return -1 if self.prior and not self.kind else self.tier


def lines(path):
    """The objects of a file of JSON Lines, compressed or not."""
    with (lzma.open if str(path).endswith(".xz") else open)(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def key(prompt):
    """The name under which a public prompt's labels are kept."""
    return hashlib.sha256(prompt.encode()).hexdigest()[:16]


def tier(name):
    return TIERS.index(name.lower()) if name else -1


def category(name):
    return CATEGORIES.index(name) if name in CATEGORIES else -1


def written():
    """The rows that come with the repository."""
    rows, priors = [], {}
    for path in sorted((HERE / "corpus").glob("*.jsonl")):
        for r in lines(path):
            group = f"{path.stem}/{r['group']}" if "group" in r else ""
            row = Row(path.stem, r["message"], tier(r["tier"]), category(r["category"]), r.get("prior_turn", ""),
                      tier(r.get("prior_tier", "")), r.get("kind", ""), r["lang"], group)  # fmt: skip
            rows.append(row)
            if row.prior_tier >= 0:
                known = priors.setdefault(row.prior[:SHOWN], Row("priors", row.prior, row.prior_tier, lang=row.lang))
                if row.kind == "continues":
                    known.category = row.category
    for r in lines(HERE.parent / "testdata" / "gold.jsonl"):
        rows.append(Row("rules", r["message"], tier(r["tier"]), category(r["category"]), r.get("prior", ""),
                        kind=KINDS[r["kind"]], lang=r["lang"]))
    return rows + list(priors.values())


def public(folder):
    """The rows of public data sets, where somebody has them."""
    folder = Path(folder)
    labels = {r["prompt"]: r for r in lines(HERE / "labels" / "real-prompts.jsonl")}
    rows = []
    for r in lines(folder / "real-prompts.jsonl.xz"):
        label = labels[key(r["prompt"])]
        rows.append(Row("real", r["prompt"], tier(label["tier"]), category(label["category"]), weight=2.0))
    for r in lines(folder / "tiers-train.jsonl.xz"):
        rows.append(Row("templates", r["prompt"], tier(r["expected_tier"]), lang=r["lang"], weight=0.3))
    return rows


def groups(rows):
    """Numbers that rows share which have a group, a prior turn, a pasted line or
    almost the whole text in common: such rows stay together in every split."""
    parent = list(range(len(rows)))

    def find(i):
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    first = {}
    for i, row in enumerate(rows):
        for name in names(row):
            parent[find(i)] = find(first.setdefault(name, i))
    return [find(i) for i in range(len(rows))]


def names(row):
    """What would make two rows belong together."""
    if row.group:
        yield "group " + row.group
    prior = row.message if row.source == "priors" else row.prior
    if len(prior) > 30:
        yield "prior " + prior[:100]
    for line in row.message.splitlines():
        if len(line) > 120 and row.source != "real":
            yield "line " + line[:200]
    plain = re.sub(r"\W+", " ", row.message.lower()).strip()
    yield "text " + (plain[-60:] if row.source == "real" else plain[:60])
