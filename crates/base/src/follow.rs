//! Following a task that works through what has come, one after the other: whoever wants to know that it is through with
//! everything so far asks the task itself.

use tokio::sync::{mpsc, oneshot};

/// The end of those who follow.
#[derive(Debug, Clone)]
pub struct Followers(mpsc::UnboundedSender<Follower>);

/// The task's end.
#[derive(Debug)]
pub struct Following(mpsc::UnboundedReceiver<Follower>);

/// Somebody who waits until the task has caught up.
#[derive(Debug)]
pub struct Follower(oneshot::Sender<()>);

/// Both ends.
#[must_use]
pub fn followers() -> (Followers, Following) {
    let (sender, receiver) = mpsc::unbounded_channel();
    (Followers(sender), Following(receiver))
}

impl Followers {
    /// Waits until the task has caught up, or is no more: then there is nothing left to wait for.
    pub async fn follow(&self) {
        let (told, follower) = oneshot::channel();
        if self.0.send(Follower(told)).is_ok() {
            // Whoever asks in the moment of the task's end is kept in the channel, and never told.
            tokio::select! {
                told = follower => drop(told),
                () = self.0.closed() => {}
            }
        }
    }
}

impl Following {
    /// Waits for whoever follows; for ever, once nobody can. The wait may be dropped without losing anyone.
    pub async fn next(&mut self) -> Follower {
        match self.0.recv().await {
            Some(follower) => follower,
            None => std::future::pending().await,
        }
    }
}

impl Follower {
    /// The task has caught up. Whoever waited may have gone.
    pub fn tell(self) {
        let _ = self.0.send(());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn who_follows_waits_until_the_task_has_caught_up() {
        let (followers, mut following) = followers();
        let through = std::cell::Cell::new(false);
        let task = async {
            let follower = following.next().await;
            through.set(true);
            follower.tell();
        };
        let waiting = async {
            followers.follow().await;
            assert!(through.get());
        };
        tokio::join!(waiting, task);
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn who_follows_a_task_that_ends_comes_back() {
        for _ in 0..20_000 {
            let (followers, following) = followers();
            let task = tokio::spawn(async move { drop(following) });
            followers.follow().await;
            task.await.unwrap();
        }
    }
}
