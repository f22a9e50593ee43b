"""Asking and inferring apart: answers between the turns, and one player that concludes for another."""
