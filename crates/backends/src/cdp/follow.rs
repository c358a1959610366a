//! Following the pump: whoever wants to know that everything so far is told asks the task that tells it.

use tokio::sync::{mpsc, oneshot};

use super::page::Page;

/// The page's end.
#[derive(Debug)]
pub(super) struct Followers(mpsc::UnboundedSender<oneshot::Sender<()>>);

/// The pump's end.
#[derive(Debug)]
pub(super) struct Following(mpsc::UnboundedReceiver<oneshot::Sender<()>>);

pub(super) fn followers() -> (Followers, Following) {
    let (sender, receiver) = mpsc::unbounded_channel();
    (Followers(sender), Following(receiver))
}

impl Following {
    /// Waits for whoever follows; for ever, once nobody can. The wait may be dropped without losing anyone.
    pub(super) async fn next(&mut self) -> oneshot::Sender<()> {
        match self.0.recv().await {
            Some(follower) => follower,
            None => std::future::pending().await,
        }
    }
}

impl Followers {
    /// Waits until the pump has nothing left to tell, or is no more: whoever asks in the moment of its end is kept in the
    /// channel, and never told.
    async fn follow(&self) {
        let (told, follower) = oneshot::channel();
        if self.0.send(told).is_ok() {
            tokio::select! {
                told = follower => drop(told),
                () = self.0.closed() => {}
            }
        }
    }
}

impl Page {
    /// Waits until the pump has nothing left to tell. Without its pump a page is closed, and everything is told.
    pub(super) async fn follow(&self) {
        self.followers.follow().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn whoever_follows_a_pump_that_ends_comes_back() {
        for _ in 0..20_000 {
            let (followers, following) = followers();
            let pump = tokio::spawn(async move { drop(following) });
            followers.follow().await;
            pump.await.unwrap();
        }
    }
}
