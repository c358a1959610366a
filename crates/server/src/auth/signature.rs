//! Signatures of access tokens, verified by ring. Only public keys: a shared secret (HMAC) verifies nothing here, so that
//! a public key can't be passed off as one.

use std::fmt;

use jsonwebtoken::crypto::{CryptoProvider, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{Error, ErrorKind};
use jsonwebtoken::signature::{self, Verifier};
use jsonwebtoken::{Algorithm, AlgorithmFamily, DecodingKey, DecodingKeyKind};
use ring::signature as by_ring;

static RING: CryptoProvider = CryptoProvider {
    signer_factory: |_, _| Err(ErrorKind::UnsupportedAlgorithm.into()),
    verifier_factory: verifier,
    // Only public keys are read, and only in parts, which needs none of these.
    key_utils: KeyUtils::new_unimplemented(),
};

/// Makes ring the one that verifies; more than once is as good as once.
pub(super) fn provide() {
    let _ = RING.install_default();
}

/// How ring verifies an algorithm.
#[derive(Clone, Copy)]
enum Way {
    Rsa(&'static by_ring::RsaParameters),
    Point(&'static dyn by_ring::VerificationAlgorithm),
}

/// A key for one algorithm.
struct ByRing {
    algorithm: Algorithm,
    way: Way,
    key: DecodingKey,
}

fn way(algorithm: Algorithm) -> Option<Way> {
    Some(match algorithm {
        Algorithm::RS256 => Way::Rsa(&by_ring::RSA_PKCS1_2048_8192_SHA256),
        Algorithm::RS384 => Way::Rsa(&by_ring::RSA_PKCS1_2048_8192_SHA384),
        Algorithm::RS512 => Way::Rsa(&by_ring::RSA_PKCS1_2048_8192_SHA512),
        Algorithm::PS256 => Way::Rsa(&by_ring::RSA_PSS_2048_8192_SHA256),
        Algorithm::PS384 => Way::Rsa(&by_ring::RSA_PSS_2048_8192_SHA384),
        Algorithm::PS512 => Way::Rsa(&by_ring::RSA_PSS_2048_8192_SHA512),
        Algorithm::ES256 => Way::Point(&by_ring::ECDSA_P256_SHA256_FIXED),
        Algorithm::ES384 => Way::Point(&by_ring::ECDSA_P384_SHA384_FIXED),
        Algorithm::EdDSA => Way::Point(&by_ring::ED25519),
        _ => return None,
    })
}

fn verifier(algorithm: &Algorithm, key: &DecodingKey) -> Result<Box<dyn JwtVerifier>, Error> {
    let fits = key.family() == algorithm.family() && key.family() != AlgorithmFamily::Hmac;
    let way = way(*algorithm).filter(|_| fits).ok_or(ErrorKind::InvalidAlgorithm)?;
    Ok(Box::new(ByRing { algorithm: *algorithm, way, key: key.clone() }))
}

impl Verifier<Vec<u8>> for ByRing {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> Result<(), signature::Error> {
        let verified = match (self.way, self.key.kind()) {
            (Way::Rsa(parameters), DecodingKeyKind::RsaModulusExponent { n, e }) => {
                by_ring::RsaPublicKeyComponents { n, e }.verify(parameters, message, signature)
            }
            (Way::Point(algorithm), DecodingKeyKind::SecretOrDer(point)) => {
                by_ring::UnparsedPublicKey::new(algorithm, point).verify(message, signature)
            }
            _ => return Err(signature::Error::new()),
        };
        verified.map_err(|_| signature::Error::new())
    }
}

impl JwtVerifier for ByRing {
    fn algorithm(&self) -> Algorithm {
        self.algorithm
    }
}

impl fmt::Debug for ByRing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ByRing").field("algorithm", &self.algorithm).finish_non_exhaustive()
    }
}
