//! What a page is told when it is new here, and the document that it has already by then.

use engine::backend::{BackendError, PageEvent, Question};
use serde_json::{Value, json};
use wire::inspector::types;

use super::page::{Page, lock};

impl Page {
    /// Equips the page, anew if another process takes it over meanwhile: what was said to the one before is lost.
    pub(super) async fn equip_newest(&self) -> Result<(), BackendError> {
        loop {
            let inner = self.until(|page| page.channel().inner()).await?;
            let changed = self.until(|page| page.channel().inner().filter(|now| *now != inner));
            tokio::select! {
                biased;
                changed = changed => drop(changed?),
                equipped = self.equip() => return equipped,
            }
        }
    }

    /// Tells the page everything that its context is to be, and listens to it from now on.
    pub(super) async fn equip(&self) -> Result<(), BackendError> {
        let owner = self.owner()?;
        self.until(|page| page.channel().inner()).await?;
        self.tell("Page.enable", json!({})).await?;
        let tree: types::ResourceTree = self.call("Page.getResourceTree", json!({})).await?;
        self.frames().set_main(&tree.frame_tree.frame.id);
        // Before its world of scripts is told, which would be taken for that of the document before.
        let late = self.was_there(&tree.frame_tree);
        owner.read_scripts(self).await?;
        let (text, offline) = {
            let recipe = lock(&owner.recipe);
            (recipe.text(), recipe.overrides.offline)
        };
        let channel = self.channel();
        let mut told = vec![channel.send("Page.setBootstrapScript", json!({ "source": text }))];
        if let Some(agent) = &owner.options.user_agent {
            told.push(channel.send("Page.overrideUserAgent", json!({ "value": agent })));
        }
        if let Some(scheme) = &owner.options.color_scheme {
            let value = if scheme == "dark" { "Dark" } else { "Light" };
            let preference = json!({ "name": "PrefersColorScheme", "value": value });
            told.push(channel.send("Page.overrideUserPreference", preference));
        }
        told.push(channel.send("Network.enable", json!({})));
        told.push(channel.send("Network.setExtraHTTPHeaders", json!({ "headers": owner.sent_headers() })));
        told.push(channel.send("Console.enable", json!({})));
        told.push(channel.send("Runtime.enable", json!({})));
        told.push(channel.send("Worker.enable", json!({})));
        self.while_alive(|| futures_util::future::try_join_all(told)).await?;
        if offline {
            self.block(true).await?;
        }
        self.catch_up(late).await
    }

    /// Takes note of a document that was there before we listened; whether it was, and is more than the blank one of every
    /// new window.
    fn was_there(&self, tree: &types::FrameTree) -> bool {
        // What is told of documents meanwhile waits, and is newer.
        let _turn = lock(&self.turning);
        let fresh = self.frames().get(&self.main_frame).is_some_and(|top| top.loader.is_none());
        let late = fresh && tree.frame.url != "about:blank" && !tree.frame.url.is_empty();
        if late {
            self.turn(&self.main_frame.clone(), &tree.frame);
            self.grow(tree, None);
        } else if fresh {
            let loader = tree.frame.loader_id.clone();
            self.change(|frames| {
                if let Some(top) = frames.get_mut(&self.main_frame) {
                    top.loader = Some(loader);
                }
            });
        }
        late
    }

    /// Has the document that is there run what it missed, and tells how far it is.
    async fn catch_up(&self, late: bool) -> Result<(), BackendError> {
        let question = Question::new("title", Value::Null);
        match self.ask_script(&self.main_frame.clone(), &question, None).await {
            Ok(_) | Err(BackendError::DocumentGone | BackendError::DialogOpen) => {}
            Err(error) => return Err(error),
        }
        if late {
            let state =
                self.evaluate_function(&self.main_frame, "() => document.readyState", Vec::new()).await;
            let state = state.map(|state| state.get().to_owned()).unwrap_or_default();
            if state != "\"loading\"" {
                self.say(PageEvent::DomContentLoaded { frame: self.main_frame.clone() });
            }
            if state == "\"complete\"" {
                self.loaded(&self.main_frame.clone());
            }
        }
        Ok(())
    }
}
