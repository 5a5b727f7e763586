"""Ways in: arrays, frames and records become batches, outcomes become intervals; and streams made by formulas."""
