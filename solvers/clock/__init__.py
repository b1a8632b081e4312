"""The Clock family: rules, kernels, exact theory."""
