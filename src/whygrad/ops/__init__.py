"""What can be done with values: each op beside its rule, one file a family."""
