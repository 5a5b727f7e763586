"""Rules for prediction with expert advice, one file each, named as in their paper."""
