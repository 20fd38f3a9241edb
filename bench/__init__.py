"""Scripts that measure; run them as `python bench/turns.py` and so on."""

import os

# gRPC reads it when it is imported, which our scripts do after this; its notes on closed connections are no figures.
os.environ.setdefault("GRPC_VERBOSITY", "ERROR")
