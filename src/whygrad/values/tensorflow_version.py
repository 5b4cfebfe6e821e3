"""The TensorFlow whose API and numbers whygrad follows."""

from whygrad._public import export

VERSION = export("version.VERSION")("2.21.0")
GIT_VERSION = export("version.GIT_VERSION")("unknown")
COMPILER_VERSION = export("version.COMPILER_VERSION")("unknown")
GRAPH_DEF_VERSION = export("version.GRAPH_DEF_VERSION")(2474)
GRAPH_DEF_VERSION_MIN_CONSUMER = export("version.GRAPH_DEF_VERSION_MIN_CONSUMER")(0)
GRAPH_DEF_VERSION_MIN_PRODUCER = export("version.GRAPH_DEF_VERSION_MIN_PRODUCER")(0)
