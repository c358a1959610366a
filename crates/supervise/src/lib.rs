//! One process tree, from spawn to proven gone.
