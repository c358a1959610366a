//! The worlds of scripts in a page's frames, as the browser tells of them.

use engine::backend::{FrameId, World};
use wire::bidi::types::ids::RealmId;

use super::frame::{Frame, Realm};
use super::frames::Frames;

/// As many worlds that are gone are remembered.
const REMEMBERED: usize = 64;

impl Frames {
    /// A world appeared.
    pub(super) fn add_realm(&mut self, id: &FrameId, world: World, realm: RealmId) {
        let Some(frame) = self.all.get_mut(id) else { return };
        if frame.slot(world).as_ref().is_some_and(|known| known.is(&realm)) {
            return;
        }
        std::mem::take(frame.unknown(world)).cancel();
        frame.ahead = frame.pending.is_some();
        frame.emptied = false;
        frame.inherits = world == World::Utility && frame.main.is_none();
        if world == World::Main {
            frame.fresh = !std::mem::take(&mut frame.owed) && frame.moves > 0;
        }
        if let Some(before) = frame.slot(world).replace(Realm::of(realm)) {
            before.gone.cancel();
        }
    }

    /// A world answered that nobody told of.
    pub(super) fn learn_realm(&mut self, id: &FrameId, world: World, realm: &RealmId) {
        if let Some(frame) = self.all.get_mut(id)
            && frame.slot(world).is_none()
            && !self.gone.contains(realm)
        {
            *frame.slot(world) = Some(Realm::of(realm.clone()));
        }
    }

    /// Whether a frame's world of ours is known to have the injected script.
    pub(super) fn is_scripted(&self, id: &FrameId) -> bool {
        let utility = self.all.get(id).and_then(|frame| frame.utility.as_ref());
        utility.is_some_and(|utility| utility.scripted)
    }

    /// A world of ours has been given the injected script.
    pub(super) fn script_realm(&mut self, id: &FrameId, realm: &RealmId) {
        let utility = self.all.get_mut(id).and_then(|frame| frame.utility.as_mut());
        if let Some(utility) = utility.filter(|utility| utility.is(realm)) {
            utility.scripted = true;
        }
    }

    /// A world is gone; whether it was one of this page's. Its last answer may be read after that.
    pub(super) fn remove_realm(&mut self, realm: &RealmId) -> bool {
        self.gone.push_back(realm.clone());
        if self.gone.len() > REMEMBERED {
            self.gone.pop_front();
        }
        for frame in self.all.values_mut() {
            for world in [World::Main, World::Utility] {
                let slot = frame.slot(world);
                if let Some(gone) = slot.take_if(|known| known.is(realm)) {
                    gone.gone.cancel();
                    frame.inherits = false;
                    return true;
                }
            }
        }
        false
    }

    /// Whether the last world of the topmost document is gone after that was emptied.
    pub(super) fn has_vanished(&self) -> bool {
        self.all.get(&self.main).is_some_and(|main| main.pending.is_none() && main.has_vanished())
    }

    /// Whether a world is that of a document that is not told as arrived yet.
    pub(super) fn is_ahead(&mut self, id: &FrameId, world: World, realm: &RealmId) -> bool {
        let Some(frame) = self.all.get_mut(id) else { return false };
        let newest = frame.slot(world).as_ref().is_some_and(|known| known.is(realm));
        newest && frame.ahead && frame.pending.is_some()
    }

    /// The same of a document of which not even the start is told; asked once.
    pub(super) fn may_be_ahead(&mut self, id: &FrameId) -> bool {
        self.all.get_mut(id).is_some_and(|frame| std::mem::take(&mut frame.fresh))
    }

    /// Whether a world was told of.
    pub(super) fn knows(&mut self, id: &FrameId, world: World) -> bool {
        self.all.get_mut(id).is_some_and(|frame| frame.slot(world).is_some())
    }

    /// Whether a world may still be told of.
    pub(super) fn expects(&mut self, id: &FrameId, world: World) -> bool {
        let inherits = |frame: &Frame| world == World::Main && frame.inherits;
        !self.knows(id, world) && self.all.get(id).is_some_and(|frame| !inherits(frame))
    }

    /// Another world has taken this one's place, whatever is told of it.
    pub(super) fn forget_realm(&mut self, id: &FrameId, world: World, realm: &RealmId) {
        let slot = self.all.get_mut(id).map(|frame| frame.slot(world));
        if let Some(gone) = slot.and_then(|slot| slot.take_if(|known| known.is(realm))) {
            gone.gone.cancel();
        }
    }

    /// A world as it is known.
    pub(super) fn realm(&mut self, id: &FrameId, world: World) -> Option<Realm> {
        let frame = self.all.get_mut(id)?;
        if let Some(realm) = frame.slot(world) {
            return Some(realm.clone());
        }
        Some(Realm { id: None, gone: frame.unknown(world).clone(), scripted: false })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_world_is_gone_for_whoever_asked_in_it() {
        let main = FrameId::from("main");
        let mut frames = Frames::new(main.clone(), "about:blank".to_owned());
        let unknown = frames.realm(&main, World::Main).unwrap();
        assert_eq!(unknown.id, None);
        frames.add_realm(&main, World::Main, RealmId::from("r"));
        assert!(unknown.gone.is_cancelled());
        let known = frames.realm(&main, World::Main).unwrap();
        assert!(frames.remove_realm(&RealmId::from("r")) && known.gone.is_cancelled());
    }

    #[test]
    fn a_world_that_is_gone_is_not_learnt_from_its_last_answer() {
        let main = FrameId::from("main");
        let mut frames = Frames::new(main.clone(), "about:blank".to_owned());
        let (gone, new) = (RealmId::from("gone"), RealmId::from("new"));
        frames.add_realm(&main, World::Main, gone.clone());
        frames.remove_realm(&gone);
        frames.learn_realm(&main, World::Main, &gone);
        assert!(!frames.knows(&main, World::Main));
        frames.learn_realm(&main, World::Main, &new);
        assert!(frames.knows(&main, World::Main));
    }

    #[test]
    fn a_world_has_the_script_until_another_takes_its_place() {
        let main = FrameId::from("main");
        let mut frames = Frames::new(main.clone(), "about:blank".to_owned());
        let (one, two) = (RealmId::from("one"), RealmId::from("two"));
        frames.add_realm(&main, World::Utility, one.clone());
        assert!(!frames.is_scripted(&main));
        frames.script_realm(&main, &two);
        assert!(!frames.is_scripted(&main), "another world was given it");
        frames.script_realm(&main, &one);
        assert!(frames.is_scripted(&main));
        frames.add_realm(&main, World::Utility, two);
        assert!(!frames.is_scripted(&main));
    }

    #[test]
    fn a_window_that_takes_over_the_world_of_its_blank_document_is_not_waited_for() {
        let main = FrameId::from("main");
        let mut frames = Frames::new(main.clone(), "about:blank".to_owned());
        assert!(frames.expects(&main, World::Main) && frames.expects(&main, World::Utility));
        frames.add_realm(&main, World::Utility, RealmId::from("ours"));
        assert!(!frames.expects(&main, World::Main) && !frames.knows(&main, World::Main));
        frames.learn_realm(&main, World::Main, &RealmId::from("inherited"));
        // The next document has worlds of its own.
        frames.remove_realm(&RealmId::from("inherited"));
        assert!(frames.expects(&main, World::Main) && !frames.expects(&main, World::Utility));
        frames.remove_realm(&RealmId::from("ours"));
        assert!(frames.expects(&main, World::Main) && frames.expects(&main, World::Utility));
        frames.add_realm(&main, World::Main, RealmId::from("next"));
        frames.add_realm(&main, World::Utility, RealmId::from("ours again"));
        frames.remove_realm(&RealmId::from("next"));
        assert!(frames.expects(&main, World::Main));
    }

    #[test]
    fn a_document_that_answers_before_it_is_told_as_arrived_is_ahead() {
        let main = FrameId::from("main");
        let mut frames = Frames::new(main.clone(), "about:blank".to_owned());
        let (one, realm) = ("one".into(), RealmId::from("r"));
        frames.begin(&main, &one, "http://one/");
        frames.add_realm(&main, World::Main, realm.clone());
        assert!(frames.is_ahead(&main, World::Main, &realm));
        assert!(!frames.is_ahead(&main, World::Main, &RealmId::from("before")));
        frames.commit(&main, Some(&one), "http://one/");
        assert!(!frames.is_ahead(&main, World::Main, &realm));
    }

    #[test]
    fn a_document_that_is_emptied_unasked_and_loses_its_worlds_has_vanished() {
        let main = FrameId::from("main");
        let mut frames = Frames::new(main.clone(), "about:blank".to_owned());
        frames.commit(&main, Some(&"one".into()), "http://one/");
        frames.add_realm(&main, World::Main, RealmId::from("a"));
        assert!(!frames.vanished(&main, None) && !frames.has_vanished(), "its world is there");
        frames.remove_realm(&RealmId::from("a"));
        assert!(frames.has_vanished());
        frames.begin(&main, &"two".into(), "http://two/");
        assert!(!frames.has_vanished());
    }

    #[test]
    fn a_world_that_comes_after_its_document_is_not_ahead_and_one_that_nobody_announced_may_be() {
        let main = FrameId::from("main");
        let mut frames = Frames::new(main.clone(), "about:blank".to_owned());
        frames.add_realm(&main, World::Main, RealmId::from("blank"));
        assert!(!frames.may_be_ahead(&main), "the first document arrives without a word");
        frames.commit(&main, Some(&"one".into()), "http://one/");
        frames.add_realm(&main, World::Main, RealmId::from("late"));
        assert!(!frames.may_be_ahead(&main));
        frames.add_realm(&main, World::Main, RealmId::from("early"));
        assert!(frames.may_be_ahead(&main) && !frames.may_be_ahead(&main));
        frames.add_realm(&main, World::Main, RealmId::from("again"));
        frames.commit(&main, Some(&"two".into()), "http://two/");
        assert!(!frames.may_be_ahead(&main));
    }
}
