"""Programs' own state: modules that hold variables, and checkpoints of them."""
