//! Who answers which path, and what was asked for so far.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Request, Response, standing};

/// The function behind a path.
pub(super) type Handler = Arc<dyn Fn(&Request) -> Response + Send + Sync>;

/// What a test has set, over the standing routes.
#[derive(Default)]
pub(super) struct Routes {
    own: Mutex<HashMap<String, Handler>>,
    requests: Mutex<Vec<Request>>,
}

impl Routes {
    pub(super) fn set(&self, path: &str, handler: Handler) {
        lock(&self.own).insert(path.to_owned(), handler);
    }

    /// Notes the request and finds who answers it.
    pub(super) fn take(&self, request: &Request) -> Handler {
        lock(&self.requests).push(request.clone());
        let own = lock(&self.own).get(&request.path).map(Arc::clone);
        own.unwrap_or_else(|| Arc::new(standing::find(&request.path)))
    }

    pub(super) fn hits(&self, path: &str) -> usize {
        lock(&self.requests).iter().filter(|request| request.path == path).count()
    }

    pub(super) fn requests(&self) -> Vec<Request> {
        lock(&self.requests).clone()
    }
}

impl fmt::Debug for Routes {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Routes").field("own", &lock(&self.own).keys()).finish_non_exhaustive()
    }
}

/// Nothing is half done under these locks, so a panic elsewhere does not spoil them.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
