"""Asking compared with repeated answering: pass@k."""
