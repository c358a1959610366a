//! Locks that are held for a moment only.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Takes a lock; whoever panicked with it left nothing half done that matters more than going on.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
