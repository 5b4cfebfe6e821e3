"""`tf.compat.v2`: whygrad itself."""

import sys

from whygrad._public import export

sys.modules[__name__] = sys.modules["whygrad"]
export("compat.v2")(sys.modules[__name__])
