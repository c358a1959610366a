//! What a client that may not come in is told: what it lacks, and where to get it (RFC 6750, section 3; RFC 9728,
//! section 5.1).

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};

use super::token::TokenRefused;

/// Why a request is not let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Challenge {
    #[error("an access token is needed")]
    NoToken,
    #[error("the Authorization header is not one bearer token")]
    Malformed,
    #[error("the access token is refused: {0}")]
    Refused(#[from] TokenRefused),
}

/// The token of a request: in its header, never in its address, which logs keep (OAuth 2.1, section 5.1).
///
/// # Errors
/// [`Challenge`] when there is none, or more than one.
pub(crate) fn bearer(headers: &HeaderMap) -> Result<&str, Challenge> {
    let mut all = headers.get_all(header::AUTHORIZATION).iter();
    let first = all.next().ok_or(Challenge::NoToken)?;
    if all.next().is_some() {
        return Err(Challenge::Malformed);
    }
    let (scheme, token) =
        first.to_str().ok().and_then(|text| text.split_once(' ')).ok_or(Challenge::Malformed)?;
    let token = token.trim();
    if !scheme.eq_ignore_ascii_case("bearer") || token.is_empty() || token.contains(' ') {
        return Err(Challenge::Malformed);
    }
    Ok(token)
}

impl Challenge {
    pub(crate) fn status(self) -> StatusCode {
        match self {
            Self::NoToken => StatusCode::UNAUTHORIZED,
            Self::Malformed => StatusCode::BAD_REQUEST,
            Self::Refused(TokenRefused::Scope) => StatusCode::FORBIDDEN,
            Self::Refused(TokenRefused::NoKeys) => StatusCode::SERVICE_UNAVAILABLE,
            Self::Refused(_) => StatusCode::UNAUTHORIZED,
        }
    }

    /// RFC 6750, section 3.1. A request without a token gets no error, because it made none.
    fn error(self) -> Option<&'static str> {
        match self {
            Self::NoToken | Self::Refused(TokenRefused::NoKeys) => None,
            Self::Malformed => Some("invalid_request"),
            Self::Refused(TokenRefused::Scope) => Some("insufficient_scope"),
            Self::Refused(_) => Some("invalid_token"),
        }
    }

    /// The name of the refusal, as in the errors of the tools.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::NoToken => "unauthorized",
            Self::Refused(TokenRefused::NoKeys) => "issuer_unavailable",
            Self::Malformed | Self::Refused(_) => self.error().unwrap_or("unauthorized"),
        }
    }

    /// What to do about it.
    pub(crate) fn suggestion(self) -> &'static str {
        match self {
            Self::NoToken | Self::Malformed => {
                "get a token from the authorization server that the metadata names, and send it as `Authorization: Bearer …`"
            }
            Self::Refused(TokenRefused::Scope) => "ask the authorization server for a token with the scope",
            Self::Refused(TokenRefused::NoKeys) => {
                "try again in a few seconds; the operator finds the reason in the log"
            }
            Self::Refused(_) => "ask the authorization server for a new token",
        }
    }

    /// The value of `WWW-Authenticate`; none for a fault that is not the client's.
    pub(crate) fn header(self, metadata: &str, scope: &str) -> Option<HeaderValue> {
        if self == Self::Refused(TokenRefused::NoKeys) {
            return None;
        }
        let mut value = String::from("Bearer ");
        if let Some(error) = self.error() {
            value += &format!("error=\"{error}\", error_description=\"{self}\", ");
        }
        value += &format!("scope=\"{scope}\", resource_metadata=\"{metadata}\"");
        HeaderValue::try_from(value).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token_of(values: &[&str]) -> Result<String, Challenge> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(header::AUTHORIZATION, value.parse().expect("a header"));
        }
        bearer(&headers).map(str::to_owned)
    }

    #[test]
    fn a_token_is_one_word_behind_bearer_in_any_case() {
        for fine in ["Bearer a.b.c", "bearer a.b.c", "BEARER  a.b.c "] {
            assert_eq!(token_of(&[fine]).as_deref(), Ok("a.b.c"), "{fine}");
        }
        assert_eq!(token_of(&[]), Err(Challenge::NoToken));
        for bad in ["Bearer", "Bearer ", "Basic YTpi", "Bearer a b", "a.b.c", "Bearer\ta"] {
            assert_eq!(token_of(&[bad]), Err(Challenge::Malformed), "{bad}");
        }
        assert_eq!(token_of(&["Bearer a", "Bearer b"]), Err(Challenge::Malformed));
    }

    #[test]
    fn a_challenge_names_the_metadata_and_an_error_only_where_there_was_one() {
        let told = |challenge: Challenge| {
            let value = challenge.header("https://e.example/m", "mcp:execute");
            (challenge.status().as_u16(), value.map(|value| value.to_str().expect("text").to_owned()))
        };
        assert_eq!(
            told(Challenge::NoToken),
            (401, Some("Bearer scope=\"mcp:execute\", resource_metadata=\"https://e.example/m\"".to_owned()))
        );
        let (status, value) = told(TokenRefused::Expired.into());
        assert_eq!(status, 401);
        assert!(value.is_some_and(|value| value.contains("error=\"invalid_token\"")));
        let (status, value) = told(TokenRefused::Scope.into());
        assert_eq!(status, 403);
        assert!(value.is_some_and(|value| value.contains("error=\"insufficient_scope\"")));
        assert_eq!(told(TokenRefused::NoKeys.into()), (503, None));
    }

    #[test]
    fn no_refusal_breaks_the_quotes_of_the_header() {
        use TokenRefused::*;
        for refused in [
            Malformed, Algorithm, Critical, UnknownKey, Signature, Expired, NotYet, Issuer, Audience, Claims,
            Scope,
        ] {
            let text = refused.to_string();
            assert!(text.is_ascii() && !text.contains(['"', '\\']), "{text}");
            assert!(Challenge::from(refused).header("m", "s").is_some());
        }
    }
}
