"""Verifies content attestations with only the chain."""
