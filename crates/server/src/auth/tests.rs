//! Tokens against an issuer that the test plays: which are let in, and how often it is asked for its keys.
#![cfg(feature = "oauth")]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use futures_util::future::join_all;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair as _};
use serde_json::{Value, json};

use super::jwks::Pace;
use super::token::{TokenRefused, Trust, Verifier};
use super::{Issuer, Subject};

const AUDIENCE: &str = "https://e2e.example/mcp";
const PACE: Pace = Pace {
    fresh: Duration::from_secs(600),
    stale: Duration::from_secs(3600),
    least: Duration::from_millis(200),
};

/// A key that signs.
enum Pair {
    Point(EcdsaKeyPair),
    Edwards(Ed25519KeyPair),
}

struct Key {
    id: &'static str,
    pair: Pair,
}

impl Key {
    fn point(id: &'static str) -> Self {
        let random = SystemRandom::new();
        let document = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).unwrap();
        let pair =
            EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, document.as_ref(), &random).unwrap();
        Self { id, pair: Pair::Point(pair) }
    }

    fn edwards(id: &'static str) -> Self {
        let document = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).unwrap();
        Self { id, pair: Pair::Edwards(Ed25519KeyPair::from_pkcs8(document.as_ref()).unwrap()) }
    }

    fn public(&self) -> Value {
        match &self.pair {
            Pair::Point(pair) => {
                let point = pair.public_key().as_ref();
                json!({ "kid": self.id, "kty": "EC", "crv": "P-256", "use": "sig",
                        "x": encoded(&point[1..33]), "y": encoded(&point[33..]) })
            }
            Pair::Edwards(pair) => {
                json!({ "kid": self.id, "kty": "OKP", "crv": "Ed25519", "alg": "EdDSA",
                        "x": encoded(pair.public_key().as_ref()) })
            }
        }
    }

    fn algorithm(&self) -> &'static str {
        match &self.pair {
            Pair::Point(_) => "ES256",
            Pair::Edwards(_) => "EdDSA",
        }
    }

    fn sign(&self, claims: &Value) -> String {
        self.sign_with(&json!({ "alg": self.algorithm(), "kid": self.id, "typ": "at+jwt" }), claims)
    }

    fn sign_with(&self, header: &Value, claims: &Value) -> String {
        let message = unsigned(header, claims);
        let signature = match &self.pair {
            Pair::Point(pair) => {
                pair.sign(&SystemRandom::new(), message.as_bytes()).unwrap().as_ref().to_vec()
            }
            Pair::Edwards(pair) => pair.sign(message.as_bytes()).as_ref().to_vec(),
        };
        format!("{message}.{}", encoded(&signature))
    }
}

fn encoded(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

fn unsigned(header: &Value, claims: &Value) -> String {
    format!("{}.{}", encoded(header.to_string().as_bytes()), encoded(claims.to_string().as_bytes()))
}

/// An issuer on loopback.
#[derive(Clone)]
struct Played {
    url: String,
    keys: Arc<Mutex<Vec<Value>>>,
    /// How often it was asked for them.
    asked: Arc<AtomicUsize>,
    /// It answers nothing but errors.
    down: Arc<Mutex<bool>>,
    /// What its metadata call it, if not by its name.
    alias: Arc<Mutex<Option<String>>>,
}

impl Played {
    async fn start(place: &'static str, keys: &[&Key]) -> Self {
        let socket = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let played = Self {
            url: format!("http://{}", socket.local_addr().unwrap()),
            keys: Arc::default(),
            asked: Arc::default(),
            down: Arc::default(),
            alias: Arc::default(),
        };
        played.has(keys);
        let router =
            Router::new().route(place, get(metadata)).route("/keys", get(key_set)).with_state(played.clone());
        tokio::spawn(async move { axum_serve(socket, router).await });
        played
    }

    fn has(&self, keys: &[&Key]) {
        *self.keys.lock().unwrap() = keys.iter().map(|key| key.public()).collect();
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }

    fn verifier(&self, pace: Pace) -> Verifier {
        let trust = Trust {
            issuer: Issuer::parse(&self.url).unwrap(),
            audiences: vec![AUDIENCE.to_owned()],
            scope: "mcp:execute".to_owned(),
            skew: Duration::from_secs(30),
        };
        Verifier::at_pace(trust, pace)
    }

    fn claims(&self) -> Value {
        json!({ "iss": self.url, "sub": "alice", "aud": AUDIENCE, "exp": now() + 60, "scope": "openid mcp:execute" })
    }

    fn claims_with(&self, changes: &Value) -> Value {
        let mut claims = self.claims();
        for (name, value) in changes.as_object().unwrap() {
            if value.is_null() {
                claims.as_object_mut().unwrap().remove(name);
            } else {
                claims[name] = value.clone();
            }
        }
        claims
    }
}

/// hyper serves it: this workspace leaves `axum::serve` out.
async fn axum_serve(socket: tokio::net::TcpListener, router: Router) {
    use hyper_util::rt::TokioIo;
    use hyper_util::service::TowerToHyperService;
    while let Ok((stream, _)) = socket.accept().await {
        let service = TowerToHyperService::new(router.clone());
        tokio::spawn(
            hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service),
        );
    }
}

async fn metadata(State(played): State<Played>) -> Response {
    if *played.down.lock().unwrap() {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    let issuer = played.alias.lock().unwrap().clone().unwrap_or_else(|| played.url.clone());
    Json(json!({ "issuer": issuer, "jwks_uri": format!("{}/keys", played.url) })).into_response()
}

async fn key_set(State(played): State<Played>) -> Response {
    played.asked.fetch_add(1, Ordering::SeqCst);
    Json(json!({ "keys": *played.keys.lock().unwrap() })).into_response()
}

fn now() -> u64 {
    u64::try_from(jiff::Timestamp::now().as_second()).unwrap()
}

const RFC_8414: &str = "/.well-known/oauth-authorization-server";
const OIDC: &str = "/.well-known/openid-configuration";

#[tokio::test]
async fn a_right_token_names_its_subject() {
    let (point, edwards) = (Key::point("p"), Key::edwards("e"));
    for place in [RFC_8414, OIDC] {
        let issuer = Played::start(place, &[&point, &edwards]).await;
        let verifier = issuer.verifier(PACE);
        for key in [&point, &edwards] {
            assert_eq!(verifier.verify(&key.sign(&issuer.claims())).await, Ok(Subject::of("alice")));
            let listed =
                issuer.claims_with(&json!({ "aud": ["x", AUDIENCE], "scope": null, "scp": ["mcp:execute"] }));
            assert_eq!(verifier.verify(&key.sign(&listed)).await, Ok(Subject::of("alice")));
            let nameless = key.sign_with(&json!({ "alg": key.algorithm() }), &issuer.claims());
            assert_eq!(verifier.verify(&nameless).await, Ok(Subject::of("alice")), "without a key id");
        }
        assert_eq!(issuer.asked(), 1, "the keys are kept");
    }
}

#[tokio::test]
async fn a_token_with_a_wrong_claim_is_refused_for_it() {
    let key = Key::point("p");
    let issuer = Played::start(RFC_8414, &[&key]).await;
    let verifier = issuer.verifier(PACE);
    for (changes, refused) in [
        (json!({ "exp": now() - 31 }), TokenRefused::Expired),
        (json!({ "exp": "soon" }), TokenRefused::Claims),
        (json!({ "exp": null }), TokenRefused::Claims),
        (json!({ "nbf": now() + 40 }), TokenRefused::NotYet),
        (json!({ "nbf": "later" }), TokenRefused::Claims),
        (json!({ "iss": "https://other.example" }), TokenRefused::Issuer),
        (json!({ "iss": [issuer.url, "https://other.example"] }), TokenRefused::Claims),
        (json!({ "iss": null }), TokenRefused::Claims),
        (json!({ "aud": "https://other.example/mcp" }), TokenRefused::Audience),
        (json!({ "aud": format!("{AUDIENCE}/") }), TokenRefused::Audience),
        (json!({ "aud": [] }), TokenRefused::Audience),
        (json!({ "aud": null }), TokenRefused::Claims),
        (json!({ "sub": null }), TokenRefused::Claims),
        (json!({ "sub": "" }), TokenRefused::Claims),
        (json!({ "scope": "mcp:execute2 mcp" }), TokenRefused::Scope),
        (json!({ "scope": null }), TokenRefused::Scope),
    ] {
        let token = key.sign(&issuer.claims_with(&changes));
        assert_eq!(verifier.verify(&token).await, Err(refused), "{changes}");
    }
    for changes in [json!({ "exp": now() - 25 }), json!({ "nbf": now() + 25 })] {
        let token = key.sign(&issuer.claims_with(&changes));
        assert!(verifier.verify(&token).await.is_ok(), "clocks may differ: {changes}");
    }
}

#[tokio::test]
async fn only_public_keys_sign_and_no_token_chooses_how_it_is_judged() {
    let (key, stranger) = (Key::point("p"), Key::point("p"));
    let issuer = Played::start(RFC_8414, &[&key]).await;
    let verifier = issuer.verifier(PACE);
    let claims = issuer.claims();
    let none = |alg: &str| format!("{}.", unsigned(&json!({ "alg": alg, "kid": "p" }), &claims));
    for alg in ["none", "None", "NONE", "HS256", "XX"] {
        assert_eq!(verifier.verify(&none(alg)).await, Err(TokenRefused::Algorithm), "{alg}");
    }
    // The public key as the secret of an HMAC.
    let message = unsigned(&json!({ "alg": "HS256", "kid": "p" }), &claims);
    let Pair::Point(pair) = &key.pair else { unreachable!() };
    let secret = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, pair.public_key().as_ref());
    let confused = format!("{message}.{}", encoded(ring::hmac::sign(&secret, message.as_bytes()).as_ref()));
    assert_eq!(verifier.verify(&confused).await, Err(TokenRefused::Algorithm));
    assert_eq!(verifier.verify(&stranger.sign(&claims)).await, Err(TokenRefused::Signature));
    // Its own key in its header.
    let embedded =
        stranger.sign_with(&json!({ "alg": "ES256", "kid": "p", "jwk": stranger.public() }), &claims);
    assert_eq!(verifier.verify(&embedded).await, Err(TokenRefused::Signature));
    let elsewhere = key.sign_with(&json!({ "alg": "EdDSA", "kid": "p" }), &claims);
    assert_eq!(verifier.verify(&elsewhere).await, Err(TokenRefused::UnknownKey), "the key is for another");
    let critical = key.sign_with(&json!({ "alg": "ES256", "kid": "p", "crit": ["b64"] }), &claims);
    assert_eq!(verifier.verify(&critical).await, Err(TokenRefused::Critical));
    let right = key.sign(&claims);
    let (message, _) = right.rsplit_once('.').unwrap();
    for broken in
        [String::new(), "a".to_owned(), "a.b.c".to_owned(), format!("{right}.x"), message.to_owned()]
    {
        assert_eq!(verifier.verify(&broken).await, Err(TokenRefused::Malformed), "{broken}");
    }
    let other = issuer.claims_with(&json!({ "sub": "mallory" }));
    let (_, signature) = right.rsplit_once('.').unwrap();
    let forged =
        format!("{}.{signature}", unsigned(&json!({ "alg": "ES256", "kid": "p", "typ": "at+jwt" }), &other));
    assert_eq!(verifier.verify(&forged).await, Err(TokenRefused::Signature));
    assert!(verifier.verify(&right).await.is_ok());
}

#[tokio::test]
async fn a_rotation_is_followed_by_one_question_however_many_tokens_come() {
    let (old, new) = (Key::point("old"), Key::edwards("new"));
    let issuer = Played::start(RFC_8414, &[&old]).await;
    let verifier = Arc::new(issuer.verifier(PACE));
    let token = old.sign(&issuer.claims());
    let first = join_all((0..50).map(|_| verifier.verify(&token))).await;
    assert!(first.iter().all(Result::is_ok));
    assert_eq!(issuer.asked(), 1, "fifty at once ask once");
    issuer.has(&[&old, &new]);
    tokio::time::sleep(PACE.least).await;
    let token = new.sign(&issuer.claims());
    let rotated = join_all((0..50).map(|_| verifier.verify(&token))).await;
    assert!(rotated.iter().all(Result::is_ok));
    assert_eq!(issuer.asked(), 2, "fifty with the new key ask once");
}

#[tokio::test]
async fn who_waited_for_an_answer_has_it_however_long_it_took() {
    let key = Key::point("p");
    let issuer = Played::start(RFC_8414, &[&key]).await;
    // Any answer takes longer than that.
    let verifier = issuer.verifier(Pace { least: Duration::ZERO, ..PACE });
    let stranger = Key::point("other").sign(&issuer.claims());
    let refused = join_all((0..50).map(|_| verifier.verify(&stranger))).await;
    assert!(refused.iter().all(|refused| *refused == Err(TokenRefused::UnknownKey)));
    assert_eq!(issuer.asked(), 1);
}

#[tokio::test]
async fn a_flood_of_invented_key_ids_asks_the_issuer_no_more_often_than_the_pace_allows() {
    let key = Key::point("p");
    let issuer = Played::start(RFC_8414, &[&key]).await;
    let slow = Pace { least: Duration::from_secs(600), ..PACE };
    let verifier = issuer.verifier(slow);
    for invented in 0..100 {
        let header = json!({ "alg": "ES256", "kid": format!("invented {invented}") });
        let token = key.sign_with(&header, &issuer.claims());
        assert_eq!(verifier.verify(&token).await, Err(TokenRefused::UnknownKey));
    }
    assert!(verifier.verify(&key.sign(&issuer.claims())).await.is_ok());
    assert_eq!(issuer.asked(), 1);
}

#[tokio::test]
async fn a_key_that_was_withdrawn_is_trusted_no_longer_than_keys_are_fresh() {
    let (old, new) = (Key::point("old"), Key::point("new"));
    let issuer = Played::start(RFC_8414, &[&old]).await;
    let short = Duration::from_millis(100);
    let verifier = issuer.verifier(Pace { fresh: short, least: short, ..PACE });
    let token = old.sign(&issuer.claims());
    assert!(verifier.verify(&token).await.is_ok());
    issuer.has(&[&new]);
    tokio::time::sleep(short).await;
    assert_eq!(verifier.verify(&token).await, Err(TokenRefused::UnknownKey));
}

#[tokio::test]
async fn an_issuer_that_is_down_leaves_the_keys_that_there_are_for_a_while() {
    let key = Key::point("p");
    let issuer = Played::start(RFC_8414, &[&key]).await;
    let short = Duration::from_millis(50);
    let verifier = issuer.verifier(Pace { fresh: short, least: short, ..PACE });
    let token = key.sign(&issuer.claims());
    assert!(verifier.verify(&token).await.is_ok());
    *issuer.down.lock().unwrap() = true;
    tokio::time::sleep(short).await;
    assert!(verifier.verify(&token).await.is_ok());
    let never = issuer.verifier(PACE);
    assert_eq!(never.verify(&token).await, Err(TokenRefused::NoKeys));
    assert!(!never.is_ready().await);
    *issuer.down.lock().unwrap() = false;
    tokio::time::sleep(PACE.least).await;
    assert!(never.is_ready().await && never.verify(&token).await.is_ok());
}

#[tokio::test]
async fn metadata_that_name_another_issuer_are_not_believed() {
    let key = Key::point("p");
    let issuer = Played::start(RFC_8414, &[&key]).await;
    *issuer.alias.lock().unwrap() = Some("https://other.example".to_owned());
    let refused = issuer.verifier(PACE).verify(&key.sign(&issuer.claims())).await;
    assert_eq!((refused, issuer.asked()), (Err(TokenRefused::NoKeys), 0));
}

#[tokio::test]
async fn keys_for_other_uses_and_of_other_kinds_verify_nothing() {
    let key = Key::point("p");
    let issuer = Played::start(RFC_8414, &[]).await;
    let mut encrypts = key.public();
    encrypts["use"] = json!("enc");
    let secret = json!({ "kid": "p", "kty": "oct", "k": "c2VjcmV0" });
    let other = json!({ "kid": "p", "kty": "new", "x": 1 });
    *issuer.keys.lock().unwrap() = vec![encrypts, secret, other, json!(5)];
    let verifier = issuer.verifier(PACE);
    assert_eq!(verifier.verify(&key.sign(&issuer.claims())).await, Err(TokenRefused::NoKeys));
}

/// A token and a key of RFC 7515, appendix A.2: RS256 with 2048 bits, verified by what verifies ours.
#[test]
fn rsa_signatures_of_the_standard_are_verified() {
    use jsonwebtoken::{Algorithm, DecodingKey};
    super::signature::provide();
    let modulus = "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ";
    let key = DecodingKey::from_rsa_components(modulus, "AQAB").unwrap();
    let message = "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ";
    let signature = "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw";
    assert!(jsonwebtoken::crypto::verify(signature, message.as_bytes(), &key, Algorithm::RS256).unwrap());
    let other = message.replace("joe", "moe").replace("am9l", "bW9l") + "x";
    assert!(!jsonwebtoken::crypto::verify(signature, other.as_bytes(), &key, Algorithm::RS256).unwrap());
    assert!(!jsonwebtoken::crypto::verify(signature, message.as_bytes(), &key, Algorithm::PS256).unwrap());
}
