"""Where arrays are computed: NumPy by default."""
