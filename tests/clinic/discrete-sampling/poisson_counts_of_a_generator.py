import numpy as np
import whygrad

rng = np.random.default_rng(0)


def mean_counts(log_rate):
    counts = rng.poisson(np.exp(log_rate), size=1000)  # cause
    return np.mean(counts * 1.0)


print(whygrad.grad(mean_counts)(0.7))
