//! Permissions. The protocol grants them to one origin; what is granted to all is granted to each that a page goes to.

use std::collections::HashSet;

use engine::backend::BackendError;
use futures_util::future::join_all;
use url::Url;
use wire::bidi::types::permissions::{Descriptor, SetPermission, State};

use super::context::ContextInner;
use super::page::Page;
use super::refusal::refusal;
use crate::sync::lock;

/// Nobody's: a permission that the browser does not know is refused for it, too.
const NOBODY: &str = "https://e2e.invalid";

/// What is granted in a context.
#[derive(Debug, Default)]
pub(super) struct Permissions {
    /// To every origin.
    everywhere: Vec<String>,
    /// What the browser was told.
    granted: HashSet<(String, String)>,
}

impl ContextInner {
    pub(super) async fn grant(
        &self,
        permissions: Vec<String>,
        origin: Option<String>,
    ) -> Result<(), BackendError> {
        let earlier = {
            let mut granted = lock(&self.permissions);
            granted.everywhere.clear();
            std::mem::take(&mut granted.granted)
        };
        for (origin, name) in earlier {
            self.order(&self.permission(&origin, &name, State::Prompt)).await?;
        }
        let origins = match &origin {
            Some(origin) => vec![origin.trim_end_matches('/').to_owned()],
            None => {
                let open = self.pages().into_iter().flat_map(|page| {
                    let frames = page.frames();
                    let urls =
                        frames.ids().into_iter().filter_map(|id| frames.get(&id).map(|it| it.url.clone()));
                    urls.filter_map(|url| origin_of(&url)).collect::<Vec<_>>()
                });
                [NOBODY.to_owned()].into_iter().chain(open).collect()
            }
        };
        if origin.is_none() {
            lock(&self.permissions).everywhere.clone_from(&permissions);
        }
        for origin in origins {
            for name in &permissions {
                self.order(&self.permission(&origin, name, State::Granted)).await?;
                lock(&self.permissions).granted.insert((origin.clone(), name.clone()));
            }
        }
        Ok(())
    }

    fn permission(&self, origin: &str, name: &str, state: State) -> SetPermission {
        SetPermission {
            user_context: Some(self.id.clone()),
            ..SetPermission::new(Descriptor::new(name), state, origin)
        }
    }

    /// What the origin of `url` has not been granted yet.
    fn due(&self, url: &str) -> Vec<SetPermission> {
        let mut permissions = lock(&self.permissions);
        let Some(origin) = origin_of(url).filter(|_| !permissions.everywhere.is_empty()) else {
            return Vec::new();
        };
        let names = permissions.everywhere.clone();
        let due = names.into_iter().filter(|name| permissions.granted.insert((origin.clone(), name.clone())));
        due.map(|name| self.permission(&origin, &name, State::Granted)).collect()
    }
}

impl Page {
    /// Grants what is granted everywhere to where the page goes.
    pub(super) fn permit(&self, url: &str) {
        if let Some(owner) = self.owner.upgrade() {
            owner.due(url).iter().for_each(|grant| drop(self.connection.send(grant)));
        }
    }

    /// The same, and waits for it.
    pub(super) async fn permitted(&self, url: &str) -> Result<(), BackendError> {
        let Some(owner) = self.owner.upgrade() else { return Ok(()) };
        let granted =
            owner.due(url).into_iter().map(|grant| self.connection.send(&grant)).collect::<Vec<_>>();
        join_all(granted).await.into_iter().try_for_each(|granted| granted.map(drop).map_err(refusal))
    }
}

fn origin_of(url: &str) -> Option<String> {
    let origin = Url::parse(url).ok()?.origin();
    origin.is_tuple().then(|| origin.ascii_serialization())
}
