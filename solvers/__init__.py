"""Patience Lab: Clock and Baker's Dozen, simulated, solved and known exactly."""
