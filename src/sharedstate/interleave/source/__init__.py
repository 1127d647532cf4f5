"""Whose code is this: source look-up, bytecode, and the tokens that carry a hash of it."""
