"""Benches of the program that ships, one module each with ``run(arguments) -> exit status``."""
