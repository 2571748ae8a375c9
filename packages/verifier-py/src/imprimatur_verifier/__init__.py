"""Verifies content attestations from the chain alone."""
