//! Bytes both ways: behind CONNECT, and behind a switch to another protocol.

use std::sync::Arc;

use hyper::body::Incoming;
use hyper::upgrade::OnUpgrade;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite, copy_bidirectional};

use super::Shared;
use super::answers::{self, Answer, NotServed};
use super::connection::Afterwards;
use super::reach::reach;
use super::target::Target;

/// Answers CONNECT, with a tunnel if it is permitted.
pub(super) async fn open(
    shared: &Arc<Shared>,
    afterwards: &Afterwards,
    mut request: Request<Incoming>,
) -> Result<Response<Answer>, NotServed> {
    let target = Target::of_connect(request.uri())?;
    let there = reach(shared, &target).await?;
    let here = hyper::upgrade::on(&mut request);
    afterwards.set(carry(here, there));
    Ok(answers::empty(StatusCode::OK))
}

/// Carries bytes until both sides have said all, or one of them is gone.
pub(super) async fn carry(here: OnUpgrade, mut there: impl AsyncRead + AsyncWrite + Unpin) {
    if let Ok(here) = here.await {
        let _ = copy_bidirectional(&mut TokioIo::new(here), &mut there).await;
    }
}
