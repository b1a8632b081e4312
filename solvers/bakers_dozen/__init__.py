"""The Baker's Dozen family: the referee's rules and the exact solver."""
