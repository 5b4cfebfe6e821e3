"""The state of a program: modules that hold variables, their checkpoints, and strategies that distribute them."""
