"""Makers of the packs of generated levels beside this folder; not shipped."""
