import math

import whygrad.numpy as np
from whygrad import grad


def normal_cdf(x):
    return 0.5 * (1.0 + math.erf(x / math.sqrt(2.0)))  # cause


def call_price(spot, strike=100.0, sigma=0.2, years=1.0, rate=0.01):
    d1 = (np.log(spot / strike) + (rate + 0.5 * sigma**2) * years) / (sigma * years**0.5)
    d2 = d1 - sigma * years**0.5
    return spot * normal_cdf(d1) - strike * np.exp(-rate * years) * normal_cdf(d2)


s = np.array(105.0)
print("price", float(call_price(s)))
print("delta", float(grad(call_price)(s)))
