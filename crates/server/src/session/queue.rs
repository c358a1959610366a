//! The order of a session's calls: one at a time, first come, first served.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;

use tokio::sync::{Mutex, OwnedMutexGuard};

/// The calls of one session in a row. tokio's mutex is fair, so the row keeps its order.
#[derive(Debug, Clone, Default)]
pub(super) struct Queue(Arc<Mutex<()>>);

/// A call's turn; dropping it lets the next one go.
#[derive(Debug)]
pub(crate) struct Turn {
    _held: OwnedMutexGuard<()>,
}

/// A place in the row.
pub(crate) struct Place {
    turn: Waiting,
}

enum Waiting {
    Here(OwnedMutexGuard<()>),
    Coming(Pin<Box<dyn Future<Output = OwnedMutexGuard<()>> + Send>>),
}

impl Queue {
    /// Takes the next place at once: a future that nobody has polled stands in no row.
    pub(super) async fn place(&self) -> Place {
        let mut coming: Pin<Box<dyn Future<Output = _> + Send>> = Box::pin(Arc::clone(&self.0).lock_owned());
        let mut here = None;
        poll_fn(|context| {
            if let Poll::Ready(held) = coming.as_mut().poll(context) {
                here = Some(held);
            }
            Poll::Ready(())
        })
        .await;
        Place { turn: here.map_or(Waiting::Coming(coming), Waiting::Here) }
    }
}

impl Place {
    /// Waits for one's turn.
    pub(crate) async fn turn(self) -> Turn {
        match self.turn {
            Waiting::Here(held) => Turn { _held: held },
            Waiting::Coming(coming) => Turn { _held: coming.await },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn places_are_served_in_the_order_in_which_they_were_taken() {
        let queue = Queue::default();
        let (first, second, third) = (queue.place().await, queue.place().await, queue.place().await);
        let order = Arc::new(std::sync::Mutex::new(Vec::new()));
        let run = |name: &'static str, place: Place| {
            let order = order.clone();
            tokio::spawn(async move {
                let _turn = place.turn().await;
                order.lock().unwrap().push(name);
            })
        };
        let tasks = [run("third", third), run("second", second), run("first", first)];
        for task in tasks {
            task.await.unwrap();
        }
        assert_eq!(*order.lock().unwrap(), ["first", "second", "third"]);
    }

    #[tokio::test]
    async fn whoever_leaves_the_row_holds_up_nobody() {
        let queue = Queue::default();
        let (first, second, third) = (queue.place().await, queue.place().await, queue.place().await);
        drop(second);
        drop(first.turn().await);
        third.turn().await;
    }
}
