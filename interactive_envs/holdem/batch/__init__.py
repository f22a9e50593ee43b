"""Many tables of hold'em at once, as arrays: for training and for players that compute."""
