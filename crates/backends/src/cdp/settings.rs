//! How a context's pages are to be, told to each of their sessions before its first script runs, and again when it
//! changes.
//!
//! One lock orders both: a session is either equipped after a change, or among those that are told of it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use engine::backend::{ContextOptions, Geolocation, Viewport};
use futures_util::{FutureExt, TryFutureExt};
use wire::cdp::types::ids::SessionId;
use wire::cdp::types::{emulation, inspector, log, network, page, runtime, security, target};
use wire::cdp::{Command, Session};

use super::telling::{Telling, Told, viewport};
use crate::browsers::chromium::Agent;
use crate::usual::preload;

/// The name of the world in which the injected script lives.
pub(super) const UTILITY_WORLD: &str = "e2e";

/// As many bytes of bodies as the browser keeps for us, per session and per body.
const BODIES: i64 = 64 << 20;
const LARGEST_BODY: i64 = 32 << 20;

/// What a session is attached to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A page's topmost frame, and the frames in its process.
    Page,
    /// A frame in another process than the frame around it.
    Frame,
    /// A worker.
    Worker,
}

/// A context's settings and the sessions that follow them.
#[derive(Debug)]
pub(super) struct Settings {
    options: ContextOptions,
    /// What the browser says about itself: the language can only be set together with it.
    agent: Arc<Agent>,
    /// What runs in every new document, in the injected script's world.
    script: Arc<str>,
    current: Mutex<Current>,
}

#[derive(Debug, Default)]
struct Current {
    headers: Vec<(String, String)>,
    geolocation: Option<Geolocation>,
    offline: bool,
    init_scripts: Vec<String>,
    sessions: Vec<(Session, Kind)>,
}

impl Settings {
    /// `script` is what the documents of all contexts run that ask for nothing else.
    pub(super) fn new(options: ContextOptions, agent: Arc<Agent>, script: Arc<str>) -> Self {
        let script = match &options.test_id_attribute {
            Some(attribute) => Arc::from(preload(Some(attribute))),
            None => script,
        };
        let current = Current {
            headers: options.extra_headers.clone(),
            geolocation: options.geolocation,
            init_scripts: vec![engine::injected::watch().to_owned()],
            ..Current::default()
        };
        Self { options, agent, script, current: Mutex::new(current) }
    }

    /// The size that pages begin with.
    pub(super) fn viewport(&self) -> Viewport {
        self.options.viewport.unwrap_or(crate::usual::VIEWPORT)
    }

    /// What runs in every new document, in the injected script's world.
    pub(super) fn script(&self) -> &str {
        &self.script
    }

    fn current(&self) -> MutexGuard<'_, Current> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells a session that was just attached everything, and lets its target run. The answers come one by one; one
    /// that is a refusal matters only to a page.
    pub(super) fn equip(&self, session: &Session, kind: Kind) -> Vec<Told> {
        let mut current = self.current();
        current.sessions.push((session.clone(), kind));
        let mut telling = Telling { batch: session.batch(), told: Vec::new() };
        if kind == Kind::Worker {
            self.tell_worker(&current, &mut telling);
        } else {
            tell_observing(&self.script, &mut telling);
            self.tell_emulation(&mut telling, kind);
            tell_current(&current, &mut telling);
        }
        telling.add(&runtime::RunIfWaitingForDebugger::new());
        telling.send()
    }

    /// A session is gone.
    pub(super) fn forget(&self, session: &SessionId) {
        self.current().sessions.retain(|(known, _)| known.id() != Some(session));
    }

    fn tell_worker(&self, current: &Current, telling: &mut Telling<'_>) {
        telling.add(&runtime::Enable::new());
        telling.add(&network_enable());
        telling.optional(self.user_agent_override().as_ref());
        telling.optional(headers(current).as_ref());
        telling.optional(offline(current).as_ref());
    }

    fn tell_emulation(&self, telling: &mut Telling<'_>, kind: Kind) {
        let options = &self.options;
        if kind == Kind::Page {
            viewport(self.viewport()).tell(telling);
            telling.add(&emulation::SetFocusEmulationEnabled::new(true));
        }
        telling.optional(self.user_agent_override().as_ref());
        if let Some(locale) = &options.locale {
            let locale = Some(locale.clone());
            telling.add(&emulation::SetLocaleOverride { locale });
        }
        if let Some(timezone) = &options.timezone {
            telling.add(&emulation::SetTimezoneOverride::new(timezone.as_str()));
        }
        if let Some(scheme) = &options.color_scheme {
            let feature = emulation::MediaFeature::new("prefers-color-scheme", scheme.as_str());
            telling.add(&emulation::SetEmulatedMedia {
                features: Some(vec![feature]),
                ..emulation::SetEmulatedMedia::new()
            });
        }
        if options.ignore_https_errors {
            telling.add(&security::SetIgnoreCertificateErrors::new(true));
        }
    }

    fn user_agent_override(&self) -> Option<emulation::SetUserAgentOverride> {
        let (asked, locale) = (&self.options.user_agent, &self.options.locale);
        let needed = asked.is_some() || locale.is_some() || self.agent.differs;
        let (text, hints) = match asked {
            // What else fits a name of somebody else's is not known.
            Some(asked) => (asked, None),
            None => (&self.agent.text, self.agent.hints.clone()),
        };
        needed.then(|| emulation::SetUserAgentOverride {
            accept_language: locale.clone(),
            user_agent_metadata: hints,
            ..emulation::SetUserAgentOverride::new(text.as_str())
        })
    }

    /// Headers that every request carries from now on.
    pub(super) fn set_headers(&self, headers_now: Vec<(String, String)>) -> Vec<Told> {
        let mut current = self.current();
        current.headers = headers_now;
        let command =
            network::SetExtraHttpHeaders::new(current.headers.iter().cloned().collect::<network::Headers>());
        current.tell_all(&command, |_| true)
    }

    /// The position that pages are told from now on.
    pub(super) fn set_geolocation(&self, position: Option<Geolocation>) -> Vec<Told> {
        let mut current = self.current();
        current.geolocation = position;
        match geolocation(&current) {
            Some(command) => current.tell_all(&command, |kind| kind != Kind::Worker),
            None => {
                current.tell_all(&emulation::ClearGeolocationOverride::new(), |kind| kind != Kind::Worker)
            }
        }
    }

    /// Whether there is a network from now on.
    pub(super) fn set_offline(&self, offline_now: bool) -> Vec<Told> {
        let mut current = self.current();
        current.offline = offline_now;
        current.tell_all(&network_conditions(offline_now), |_| true)
    }

    /// A script that runs in every new document from now on.
    pub(super) fn add_init_script(&self, script: String) -> Vec<Told> {
        let mut current = self.current();
        let command = page::AddScriptToEvaluateOnNewDocument::new(script.as_str());
        current.init_scripts.push(script);
        current.tell_all(&command, |kind| kind != Kind::Worker)
    }
}

impl Current {
    fn tell_all<C>(&self, command: &C, whom: impl Fn(Kind) -> bool) -> Vec<Told>
    where
        C: Command + 'static,
        C::Response: Send,
    {
        let sessions = self.sessions.iter().filter(|(_, kind)| whom(*kind));
        sessions.map(|(session, _)| session.send(command).map_ok(drop).boxed()).collect()
    }
}

/// What we want to hear of, and the two worlds.
fn tell_observing(script: &str, telling: &mut Telling<'_>) {
    telling.add(&page::Enable::new());
    telling.add(&page::SetLifecycleEventsEnabled::new(true));
    telling.add(&inspector::Enable::new());
    telling.add(&runtime::Enable::new());
    telling.add(&log::Enable::new());
    telling.add(&network_enable());
    telling.add(&target::SetAutoAttach::new(true, true, true));
    telling.add(&page::SetInterceptFileChooserDialog::new(true));
    telling.add(&page::AddScriptToEvaluateOnNewDocument {
        world_name: Some(UTILITY_WORLD.to_owned()),
        run_immediately: Some(true),
        ..page::AddScriptToEvaluateOnNewDocument::new(script)
    });
}

/// What can change while the context lives.
fn tell_current(current: &Current, telling: &mut Telling<'_>) {
    for script in &current.init_scripts {
        telling.add(&page::AddScriptToEvaluateOnNewDocument {
            // A popup's blank document is there already and is kept where it leads nowhere else.
            run_immediately: Some(true),
            ..page::AddScriptToEvaluateOnNewDocument::new(script.as_str())
        });
    }
    telling.optional(headers(current).as_ref());
    telling.optional(geolocation(current).as_ref());
    telling.optional(offline(current).as_ref());
}

fn network_enable() -> network::Enable {
    network::Enable {
        max_total_buffer_size: Some(BODIES),
        max_resource_buffer_size: Some(LARGEST_BODY),
        // Bodies outlive the process that asked for them, as far as the browser can.
        enable_durable_messages: Some(true),
        ..network::Enable::new()
    }
}

fn headers(current: &Current) -> Option<network::SetExtraHttpHeaders> {
    let headers: network::Headers = current.headers.iter().cloned().collect();
    (!headers.is_empty()).then(|| network::SetExtraHttpHeaders::new(headers))
}

fn offline(current: &Current) -> Option<network::EmulateNetworkConditions> {
    current.offline.then(|| network_conditions(true))
}

fn network_conditions(offline: bool) -> network::EmulateNetworkConditions {
    network::EmulateNetworkConditions::new(offline, 0.0, -1.0, -1.0)
}

fn geolocation(current: &Current) -> Option<emulation::SetGeolocationOverride> {
    current.geolocation.map(|position| emulation::SetGeolocationOverride {
        latitude: Some(position.latitude),
        longitude: Some(position.longitude),
        accuracy: Some(position.accuracy),
    })
}
