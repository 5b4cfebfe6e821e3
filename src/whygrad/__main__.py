"""`python -m whygrad` is the command `whygrad`."""

import sys

if __name__ == "__main__":
    from whygrad.run.command import main

    sys.exit(main())
