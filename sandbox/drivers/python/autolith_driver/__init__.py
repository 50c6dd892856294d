"""The live Python runtime: keeps user code's variables between executions, and tells what became of each of them."""
