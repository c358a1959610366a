//! Every way that is known to have a browser connect somewhere, one attempt each.

mod addresses;
mod documents;
mod hints;
mod markup;
mod navigations;
mod peers;
mod scripts;
mod workers;

use crate::attempt::Attempt;

/// All of them, in the order of their ports.
pub(crate) fn all() -> Vec<Attempt> {
    [
        navigations::ATTEMPTS,
        addresses::ATTEMPTS,
        documents::ATTEMPTS,
        markup::ATTEMPTS,
        hints::ATTEMPTS,
        scripts::ATTEMPTS,
        workers::ATTEMPTS,
        peers::ATTEMPTS,
    ]
    .concat()
}
