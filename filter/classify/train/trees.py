"""The second stage: boosted trees over the sums of the first and the plain
signals, which see what only several of them together say."""

import numpy as np
from scipy.special import softmax
from sklearn.ensemble import HistGradientBoostingClassifier

from linear import CATEGORY, CONTINUES

NODE = np.dtype([("feature", "<u2"), ("right", "<u2"), ("value", "<f4")])
LEAF = 0xFFFF


def tier_inputs(messages, sums):
    return np.hstack([sums, messages.dense]).astype(np.float32)


def follow_inputs(messages, priors, pairs, sums, prior_sums):
    kinds = [softmax(x[:, CATEGORY:CONTINUES], axis=1) for x in (sums, prior_sums)]
    alike = (kinds[0] * kinds[1]).sum(axis=1, keepdims=True)
    return np.hstack([sums, messages.dense, prior_sums, priors.dense, pairs, alike]).astype(np.float32)


def boost(inputs, labels, weights, rounds, smallest, seed):
    model = HistGradientBoostingClassifier(
        max_iter=rounds, learning_rate=0.06, max_leaf_nodes=12, max_features=0.2, min_samples_leaf=smallest,
        l2_regularization=5, early_stopping=False, random_state=seed,
    )  # fmt: skip
    return model.fit(inputs, labels, sample_weight=weights)


def logits(model, inputs):
    """The sums of the trees, one for each class, or one for two."""
    raw = model._raw_predict(np.asarray(inputs, dtype=np.float64))
    return raw if raw.shape[1] > 1 else raw[:, 0]


def packed(model):
    """The trees as trees.go reads them: the number of trees, the start of each,
    the nodes in depth-first order, a left child right behind its parent."""
    trees = [tree for round_ in model._predictors for tree in round_]
    nodes = [pack(tree.nodes) for tree in trees]
    starts = np.cumsum([0] + [len(n) for n in nodes]).astype("<u4")
    base = np.asarray(model._baseline_prediction, dtype="<f4").ravel()
    return np.uint32(len(trees)).tobytes() + base.tobytes() + starts.tobytes() + np.concatenate(nodes).tobytes()


def pack(nodes):
    out = np.zeros(len(nodes), dtype=NODE)
    order, place = [], {}

    def visit(i):
        place[i] = len(order)
        order.append(i)
        if not nodes[i]["is_leaf"]:
            visit(nodes[i]["left"])
            visit(nodes[i]["right"])

    visit(0)
    for i in order:
        node = nodes[i]
        leaf = bool(node["is_leaf"])
        out[place[i]] = (
            LEAF if leaf else node["feature_idx"],
            0 if leaf else place[node["right"]],
            node["value"] if leaf else np.float32(node["num_threshold"]),
        )
    return out
