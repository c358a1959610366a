//! The issuer's keys: found by discovery, kept, and fetched anew when they are old or when a token names one that is
//! not among them.
//!
//! However many tokens wait for it, there is one fetch at a time, and none sooner than [`Pace::least`] after the one
//! before: neither a rotation nor a flood of invented key ids becomes a flood at the issuer.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, KeyOperations, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey};
use serde::Deserialize;
use serde_json::Value;
use tokio::time::Instant;
use url::Url;

use super::fetch::{self, FetchFailed};
use super::issuer::Issuer;

/// How often the issuer is asked.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pace {
    /// Keys are used without asking for so long; a key that was withdrawn is trusted no longer than that.
    pub(super) fresh: Duration,
    /// An issuer that does not answer leaves us with the keys that we have, for so long.
    pub(super) stale: Duration,
    /// No two questions come closer together.
    pub(super) least: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            fresh: Duration::from_secs(10 * 60),
            stale: Duration::from_secs(60 * 60),
            least: Duration::from_secs(5),
        }
    }
}

/// The keys of one issuer. Clones are the same keys.
#[derive(Debug, Clone)]
pub(super) struct Keys(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    issuer: Issuer,
    pace: Pace,
    state: Mutex<State>,
    /// Held by whoever asks the issuer.
    asking: Arc<tokio::sync::Mutex<()>>,
}

#[derive(Debug, Default)]
struct State {
    set: Option<(Arc<[Key]>, Instant)>,
    asked: Option<Instant>,
    /// How many questions have come to their end, whatever came of them.
    done: u64,
}

/// A key that can verify signatures.
#[derive(Debug)]
struct Key {
    id: Option<String>,
    /// The only algorithm that it is for, if it says so.
    algorithm: Option<Algorithm>,
    key: DecodingKey,
}

/// There is no key for the token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum NoKey {
    #[error("it is signed with a key that the issuer does not have")]
    Unknown,
    #[error("the issuer's keys can't be had at the moment")]
    Unavailable,
}

/// Why the issuer's keys did not come.
#[derive(Debug, thiserror::Error)]
enum NoKeys {
    #[error(transparent)]
    Fetch(#[from] FetchFailed),
    #[error("{at} is the metadata of {claimed:?}, not of {issuer}")]
    Stranger { at: Url, claimed: String, issuer: String },
    #[error("{0} has no key that could verify a token")]
    Empty(Url),
}

/// RFC 8414, section 2; OpenID Connect Discovery 1.0, section 3.
#[derive(Deserialize)]
struct Metadata {
    issuer: String,
    jwks_uri: Url,
}

/// RFC 7517, section 5: keys that are not understood are ignored.
#[derive(Deserialize)]
struct KeySet {
    keys: Vec<Value>,
}

impl Keys {
    pub(super) fn of(issuer: Issuer, pace: Pace) -> Self {
        Self(Arc::new(Inner { issuer, pace, state: Mutex::default(), asking: Arc::default() }))
    }

    /// Whether there are keys, asking for them if need be.
    pub(super) async fn are_there(&self) -> bool {
        if self.0.usable().is_none() {
            self.ask().await;
        }
        self.0.usable().is_some()
    }

    /// The keys that may have signed a token with this header.
    ///
    /// # Errors
    /// [`NoKey`] when there is none, or none can be had.
    pub(super) async fn find(
        &self,
        id: Option<&str>,
        algorithm: Algorithm,
    ) -> Result<Vec<DecodingKey>, NoKey> {
        let known = self.0.matching(id, algorithm);
        let fresh = self.0.is_fresh();
        match known {
            Some(keys) if fresh && !keys.is_empty() => return Ok(keys),
            // What is there can be used: one asks, and the others do not wait for it.
            Some(keys) if !keys.is_empty() && self.0.asking.try_lock().is_err() => return Ok(keys),
            _ => self.ask().await,
        }
        match self.0.matching(id, algorithm) {
            None => Err(NoKey::Unavailable),
            Some(keys) if keys.is_empty() => Err(NoKey::Unknown),
            Some(keys) => Ok(keys),
        }
    }

    /// Asks the issuer, unless somebody just has. Who waits for another's question has its answer, however long that took.
    async fn ask(&self) {
        let before = self.0.state().done;
        let turn = Arc::clone(&self.0.asking).lock_owned().await;
        if self.0.state().done != before || !self.0.may_ask() {
            return;
        }
        let inner = Arc::clone(&self.0);
        // In a task of its own: a client that goes away must not take the answer from those who wait for it.
        let asked = tokio::spawn(async move {
            inner.fetch().await;
            inner.state().done += 1;
            drop(turn);
        });
        // A panic in there is logged by the hook; the keys are then those that there were.
        let _ = asked.await;
    }
}

impl Inner {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn may_ask(&self) -> bool {
        let mut state = self.state();
        let may = state.asked.is_none_or(|at| at.elapsed() >= self.pace.least);
        if may {
            state.asked = Some(Instant::now());
        }
        may
    }

    fn is_fresh(&self) -> bool {
        self.state().set.as_ref().is_some_and(|(_, at)| at.elapsed() < self.pace.fresh)
    }

    fn usable(&self) -> Option<Arc<[Key]>> {
        let state = self.state();
        let (set, at) = state.set.as_ref()?;
        (at.elapsed() < self.pace.stale).then(|| Arc::clone(set))
    }

    fn matching(&self, id: Option<&str>, algorithm: Algorithm) -> Option<Vec<DecodingKey>> {
        let set = self.usable()?;
        let fits = |key: &&Key| {
            (id.is_none() || key.id.as_deref() == id)
                && key.key.family() == algorithm.family()
                && key.algorithm.is_none_or(|only| only == algorithm)
        };
        Some(set.iter().filter(fits).map(|key| key.key.clone()).collect())
    }

    async fn fetch(&self) {
        match self.fetched().await {
            Ok(keys) => {
                tracing::info!(component = "auth", event = "keys_fetched", issuer = %self.issuer, keys = keys.len());
                self.state().set = Some((keys.into(), Instant::now()));
            }
            Err(error) => {
                tracing::error!(component = "auth", event = "keys_not_fetched", issuer = %self.issuer, %error);
            }
        }
    }

    async fn fetched(&self) -> Result<Vec<Key>, NoKeys> {
        let place = self.discovered().await?;
        let set: KeySet = fetch::json(&place).await?;
        let keys: Vec<Key> = set.keys.into_iter().filter_map(Key::read).collect();
        if keys.is_empty() { Err(NoKeys::Empty(place)) } else { Ok(keys) }
    }

    /// Where the keys are: told by the first metadata that there is.
    async fn discovered(&self) -> Result<Url, NoKeys> {
        let mut first = None;
        for at in self.issuer.discovery() {
            let failed: NoKeys = match fetch::json::<Metadata>(&at).await {
                Ok(Metadata { issuer, jwks_uri }) if issuer == self.issuer.text() => return Ok(jwks_uri),
                // RFC 8414, section 3.3: metadata that names another issuer must not be used.
                Ok(Metadata { issuer: claimed, .. }) => {
                    NoKeys::Stranger { at, claimed, issuer: self.issuer.to_string() }
                }
                Err(failed) => failed.into(),
            };
            // A stranger says more than that there is nothing at the other places.
            match (&first, &failed) {
                (None, _) | (Some(NoKeys::Fetch(_)), NoKeys::Stranger { .. }) => first = Some(failed),
                _ => {}
            }
        }
        Err(first.unwrap_or_else(|| NoKeys::Empty(self.issuer.url().clone())))
    }
}

impl Key {
    /// A key that is for signatures and of a kind that is allowed.
    fn read(json: Value) -> Option<Self> {
        let jwk: Jwk = serde_json::from_value(json).ok()?;
        let common = &jwk.common;
        let signs = common.public_key_use.as_ref().is_none_or(|usage| *usage == PublicKeyUse::Signature);
        let verifies = common
            .key_operations
            .as_ref()
            .is_none_or(|operations| operations.contains(&KeyOperations::Verify));
        let kind = match &jwk.algorithm {
            AlgorithmParameters::RSA(_) => true,
            AlgorithmParameters::EllipticCurve(point) => {
                matches!(point.curve, EllipticCurve::P256 | EllipticCurve::P384)
            }
            AlgorithmParameters::OctetKeyPair(pair) => pair.curve == EllipticCurve::Ed25519,
            // A shared secret in a public document is none.
            _ => false,
        };
        // A key for an algorithm that is not known here is for none that is.
        let algorithm = match common.key_algorithm {
            None => None,
            Some(named) => Some(named.to_string().parse::<Algorithm>().ok()?),
        };
        if !(signs && verifies && kind) {
            return None;
        }
        Some(Self { id: common.key_id.clone(), algorithm, key: DecodingKey::from_jwk(&jwk).ok()? })
    }
}
