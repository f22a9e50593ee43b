"""Math: find a number by asking about the steps of its derivation."""
