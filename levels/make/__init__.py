"""Makers of the packs of generated levels that stand beside this folder.  Not shipped."""
