"""What the model is held against. Each answers turns with a tier, a confidence
(or none) and a difficulty, and is fitted on the rows that the model was fitted on."""

import json
import re
import subprocess
import time

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

from data import HERE, tier


class Answers:
    """The answers to some turns, in order."""

    def __init__(self, tiers, difficulty, confidence, microseconds):
        self.tiers = np.asarray(tiers)
        self.difficulty = np.asarray(difficulty)
        self.confidence = None if confidence is None else np.asarray(confidence)
        self.microseconds = np.asarray(microseconds)


class Model:
    """The weights in the repository, asked through the code that serves them."""

    name = "this model"

    def __call__(self, turns):
        text = "".join(json.dumps({"message": m, "prior_turn": p}) + "\n" for m, p in turns)
        out = subprocess.run(["go", "run", "./answers"], cwd=HERE, input=text, stdout=subprocess.PIPE, text=True, check=True).stdout
        read = [json.loads(line) for line in out.splitlines()]
        columns = ([r[name] for r in read] for name in ("difficulty", "confidence", "microseconds"))
        return Answers([tier(r["tier"]) for r in read], *columns)


class Baseline:
    """A classifier that sees the message alone, timed one by one."""

    def __call__(self, turns):
        answers, took = [], []
        for message, _ in turns:
            start = time.perf_counter_ns()
            answers.append(self.answer(message))
            took.append((time.perf_counter_ns() - start) / 1000)
        tiers, difficulty, confidence = zip(*answers)
        return Answers(tiers, difficulty, None if confidence[0] is None else confidence, took)


class Length(Baseline):
    """The number of characters, cut into tiers where training has most right."""

    name = "length only"

    def __init__(self, rows):
        lengths = [[len(r.message)] for r in rows]
        self.tree = DecisionTreeClassifier(max_leaf_nodes=8, min_samples_leaf=50, random_state=0)
        self.tree.fit(lengths, [r.tier for r in rows])

    def answer(self, message):
        return self.tree.predict([[len(message)]])[0], len(message), None


class Keywords(Baseline):
    """The first rule that a message matches gives the tier; else it is medium."""

    name = "keyword rules"
    RULES = [
        (3, r"\b(prove|proof|theorem|lemma|derive|olympiad|np-hard|lower bound|time complexity|induction|eigenvalue)"),
        (2, r"\b(design|architect|migrat|distributed|scalab|refactor|across|codebase|repo|end-to-end|race condition|production)"),
        (0, r"^\W*(hi|hello|hey|thanks|thank you|ok|okay|yes|no|bye|stop)\b"),
        (0, r"^\W*(who|when|where|translate|what is the|how many|how do you say|fix the typo|capital)\b"),
    ]

    def answer(self, message):
        text = message.lower()
        for level, pattern in self.RULES:
            if re.search(pattern, text):
                return level, level + len(message) / (len(message) + 500), None
        return 1, 1 + len(message) / (len(message) + 500), None


class Tfidf(Baseline):
    """Words and pairs of words, weighed by TF-IDF and logistic regression."""

    name = "TF-IDF + LR"

    def __init__(self, rows):
        self.words = TfidfVectorizer(ngram_range=(1, 2), min_df=2, sublinear_tf=True)
        inputs = self.words.fit_transform(r.message for r in rows)
        self.model = LogisticRegression(C=10, max_iter=200).fit(inputs, [r.tier for r in rows], sample_weight=[r.weight for r in rows])

    def answer(self, message):
        shares = self.model.predict_proba(self.words.transform([message]))[0]
        return shares.argmax(), shares @ np.arange(len(shares)), shares.max()
