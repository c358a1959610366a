//! A process of WebKit's, as the back end knows it.

use engine::backend::Gone;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use crate::browsers::process::Kept;
use crate::webkit::Carrier;

impl Carrier for Kept {
    fn pid(&self) -> u32 {
        Kept::pid(self)
    }

    fn end(&self) -> BoxFuture<'_, ()> {
        self.end_now().boxed()
    }

    fn abandoned(&self) {
        crate::browsers::Process::abandoned(self);
    }

    fn gone(&self) -> BoxFuture<'_, Gone> {
        crate::browsers::Process::gone(self)
    }
}
