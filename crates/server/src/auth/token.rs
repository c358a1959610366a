//! Judging an access token (RFC 9068; MCP 2025-11-25, Token handling).

use std::time::Duration;

use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Algorithm, Validation, decode, decode_header};
use serde::Deserialize;

use super::issuer::Issuer;
use super::jwks::{Keys, NoKey, Pace};
use super::{Subject, signature};

/// What is accepted: signatures by public keys only. `none` is no algorithm here, and with a shared secret (HS256 …)
/// whoever knows a public key could sign.
const ALLOWED: &[Algorithm] = &[
    Algorithm::RS256,
    Algorithm::RS384,
    Algorithm::RS512,
    Algorithm::PS256,
    Algorithm::PS384,
    Algorithm::PS512,
    Algorithm::ES256,
    Algorithm::ES384,
    Algorithm::EdDSA,
];

/// As many keys as a token without a key id is tried with.
const MOST_TRIED: usize = 8;

/// Whom and what is trusted.
#[derive(Debug, Clone)]
pub(crate) struct Trust {
    pub(crate) issuer: Issuer,
    /// A token must be meant for one of these (RFC 8707).
    pub(crate) audiences: Vec<String>,
    /// A token must have this scope.
    pub(crate) scope: String,
    /// How far the issuer's clock and ours may be apart.
    pub(crate) skew: Duration,
}

/// Judges tokens.
#[derive(Debug)]
pub(crate) struct Verifier {
    trust: Trust,
    keys: Keys,
}

/// Why a token opens nothing. No word of it is the token's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum TokenRefused {
    #[error("it is no JWT")]
    Malformed,
    #[error("its algorithm is not allowed; RS, PS, ES and EdDSA are")]
    Algorithm,
    #[error("it asks for an extension that is not understood")]
    Critical,
    #[error("it is signed with a key that the issuer does not have")]
    UnknownKey,
    #[error("its signature is wrong")]
    Signature,
    #[error("it has expired")]
    Expired,
    #[error("it is not valid yet")]
    NotYet,
    #[error("another issuer gave it out")]
    Issuer,
    #[error("it is meant for another server; ask for one with this resource as its audience")]
    Audience,
    #[error("it lacks one of the claims exp, iss, aud and sub")]
    Claims,
    #[error("it lacks the scope that this server asks for")]
    Scope,
    #[error("the issuer's keys can't be had at the moment")]
    NoKeys,
}

#[derive(Deserialize)]
struct Claims {
    iss: String,
    sub: String,
    /// RFC 9068, section 2.2.3: names separated by spaces. Some issuers send a list, and some call it `scp`.
    #[serde(default)]
    scope: Scopes,
    #[serde(default)]
    scp: Scopes,
}

#[derive(Default, Deserialize)]
#[serde(untagged)]
enum Scopes {
    #[default]
    None,
    Text(String),
    List(Vec<String>),
}

impl Verifier {
    pub(crate) fn new(trust: Trust) -> Self {
        Self::at_pace(trust, Pace::default())
    }

    pub(super) fn at_pace(trust: Trust, pace: Pace) -> Self {
        signature::provide();
        let keys = Keys::of(trust.issuer.clone(), pace);
        Self { trust, keys }
    }

    /// The scope that tokens must have.
    pub(crate) fn scope(&self) -> &str {
        &self.trust.scope
    }

    /// Whether tokens can be judged at all.
    pub(crate) async fn is_ready(&self) -> bool {
        self.keys.are_there().await
    }

    /// Whose the token is.
    ///
    /// # Errors
    /// [`TokenRefused`] says what is wrong with it.
    pub(crate) async fn verify(&self, token: &str) -> Result<Subject, TokenRefused> {
        let header = decode_header(token).map_err(|error| match error.kind() {
            // `none` and names that nobody knows are no algorithms to the library.
            ErrorKind::Json(_) if names_unknown_algorithm(token) => TokenRefused::Algorithm,
            _ => TokenRefused::Malformed,
        })?;
        if !ALLOWED.contains(&header.alg) {
            return Err(TokenRefused::Algorithm);
        }
        // RFC 7515, section 4.1.11: what must be understood, and is not.
        if header.crit.is_some() {
            return Err(TokenRefused::Critical);
        }
        let keys = self.keys.find(header.kid.as_deref(), header.alg).await.map_err(|none| match none {
            NoKey::Unknown => TokenRefused::UnknownKey,
            NoKey::Unavailable => TokenRefused::NoKeys,
        })?;
        let validation = self.validation(header.alg);
        let mut refused = TokenRefused::Signature;
        for key in keys.iter().take(MOST_TRIED) {
            match decode::<Claims>(token, key, &validation) {
                Ok(data) => return self.admitted(&data.claims),
                Err(error) => refused = named(error.kind()),
            }
            if refused != TokenRefused::Signature {
                break;
            }
        }
        Err(refused)
    }

    fn validation(&self, algorithm: Algorithm) -> Validation {
        let mut validation = Validation::new(algorithm);
        validation.leeway = self.trust.skew.as_secs();
        validation.validate_nbf = true;
        validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        validation.set_issuer(&[self.trust.issuer.text()]);
        validation.set_audience(&self.trust.audiences);
        validation
    }

    fn admitted(&self, claims: &Claims) -> Result<Subject, TokenRefused> {
        // The library takes a list of issuers, too; RFC 7519 has none.
        if claims.iss != self.trust.issuer.text() {
            return Err(TokenRefused::Issuer);
        }
        if claims.sub.is_empty() {
            return Err(TokenRefused::Claims);
        }
        let scope = &self.trust.scope;
        if !claims.scope.has(scope) && !claims.scp.has(scope) {
            return Err(TokenRefused::Scope);
        }
        Ok(Subject::named(&claims.sub))
    }
}

impl Scopes {
    fn has(&self, scope: &str) -> bool {
        match self {
            Self::None => false,
            Self::Text(names) => names.split(' ').any(|name| name == scope),
            Self::List(names) => names.iter().any(|name| name == scope),
        }
    }
}

/// Whether the token is one but for its algorithm.
fn names_unknown_algorithm(token: &str) -> bool {
    use base64::Engine as _;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;

    #[derive(Deserialize)]
    struct Named {
        alg: String,
    }
    let header = token.split('.').next().and_then(|header| URL_SAFE_NO_PAD.decode(header).ok());
    let named = header.and_then(|header| serde_json::from_slice::<Named>(&header).ok());
    named.is_some_and(|named| named.alg.parse::<Algorithm>().is_err())
}

fn named(kind: &ErrorKind) -> TokenRefused {
    match kind {
        ErrorKind::InvalidSignature => TokenRefused::Signature,
        ErrorKind::ExpiredSignature => TokenRefused::Expired,
        ErrorKind::ImmatureSignature => TokenRefused::NotYet,
        ErrorKind::InvalidIssuer => TokenRefused::Issuer,
        ErrorKind::InvalidAudience => TokenRefused::Audience,
        ErrorKind::InvalidAlgorithm => TokenRefused::Algorithm,
        ErrorKind::MissingRequiredClaim(_) | ErrorKind::InvalidClaimFormat(_) | ErrorKind::Json(_) => {
            TokenRefused::Claims
        }
        _ => TokenRefused::Malformed,
    }
}
