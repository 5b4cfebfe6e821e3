"""The page of a trace: one HTML file with the program, its findings, the graph of a step, and the variables."""
