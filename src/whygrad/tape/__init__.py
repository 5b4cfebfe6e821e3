"""Differentiating what was recorded: the tape, the reverse sweep, custom gradients."""
