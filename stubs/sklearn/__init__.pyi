"""Types of what the adapters and their tests use of scikit-learn, which ships none."""
