//! How a context's pages are to be: told once to the browser, which keeps to it for every page of the context.

use std::path::Path;
use std::sync::Arc;

use engine::backend::{BackendError, ContextOptions, Geolocation, Viewport};
use futures_util::future::BoxFuture;
use futures_util::{FutureExt, TryFutureExt};
use serde_json::{Value, json};
use wire::bidi::types::ids::UserContextId;
use wire::bidi::types::{browser, browsing_context, emulation, network, script};
use wire::bidi::{CallError, Command, Connection};

use super::asked;
use super::frame::SANDBOX;
use super::refusal::refusal;
use crate::usual;

/// As many bytes of a body as the browser keeps for us.
const LARGEST_BODY: u64 = 32 << 20;

/// What runs in every new document before the page's own scripts.
const TOLD: &str = include_str!("told.js");

/// A context's settings.
#[derive(Debug)]
pub(super) struct Settings {
    options: ContextOptions,
    /// Makes the injected script in the world that it runs in.
    script: Arc<str>,
}

/// An answer that is only waited for.
type Told = BoxFuture<'static, Result<(), CallError>>;

impl Settings {
    /// `script` is that of all contexts that ask for nothing else.
    pub(super) fn new(options: ContextOptions, script: Arc<str>) -> Self {
        let script = match &options.test_id_attribute {
            Some(attribute) => Arc::from(usual::make(Some(attribute))),
            None => script,
        };
        Self { options, script }
    }

    pub(super) fn options(&self) -> &ContextOptions {
        &self.options
    }

    /// The size that pages begin with.
    pub(super) fn viewport(&self) -> Viewport {
        self.options.viewport.unwrap_or(usual::VIEWPORT)
    }

    /// Makes the injected script in the world that it runs in.
    pub(super) fn script(&self) -> &str {
        &self.script
    }

    /// Tells the browser everything, in one go. Downloads, if they are wanted, go to `arriving`.
    pub(super) async fn tell(
        &self,
        connection: &Connection,
        context: &UserContextId,
        arriving: &Path,
    ) -> Result<(), BackendError> {
        let told = self.all(connection, context, arriving);
        for answer in futures_util::future::join_all(told).await {
            answer.map_err(refusal)?;
        }
        Ok(())
    }

    fn all(&self, connection: &Connection, context: &UserContextId, arriving: &Path) -> Vec<Told> {
        let mut telling = Telling { connection, told: Vec::new() };
        let (options, mine) = (&self.options, || vec![context.clone()]);
        let (viewport, size) = (self.viewport(), browsing_context::Viewport::new);
        telling.add(&browsing_context::SetViewport {
            viewport: Some(size(viewport.width, viewport.height)),
            device_pixel_ratio: Some(viewport.scale),
            user_contexts: Some(mine()),
            ..browsing_context::SetViewport::new()
        });
        if options.downloads.is_some() {
            telling.add(&downloads(arriving, context));
        }
        if let Some(locale) = &options.locale {
            telling.add(&emulation::SetLocaleOverride::new(Some(locale.clone()), mine()));
        }
        if let Some(timezone) = &options.timezone {
            telling.add(&emulation::SetTimezoneOverride::new(Some(timezone.clone()), mine()));
        }
        if let Some(user_agent) = &options.user_agent {
            telling.add(&emulation::SetUserAgentOverride::new(Some(user_agent.clone()), mine()));
        }
        if !options.extra_headers.is_empty() {
            telling.add(&headers(&options.extra_headers, context));
        }
        if let Some(position) = options.geolocation {
            telling.add(&geolocation(Some(position), context));
        }
        telling.told
    }
}

struct Telling<'a> {
    connection: &'a Connection,
    told: Vec<Told>,
}

impl Telling<'_> {
    fn add<C>(&mut self, command: &C)
    where
        C: Command + 'static,
        C::Response: Send,
    {
        self.told.push(self.connection.send(command).map_ok(drop).boxed());
    }
}

/// Has every document of every context have a world for the injected script, so that it is told of, be told what pages
/// are told, and have the watch; has bodies kept, and no downloads. Once for all: Firefox hands such a script to each of its
/// processes, keeps what it was told of a context when that is gone, and takes its time for each.
pub(super) async fn tell_everywhere(connection: &Connection) -> Result<(), CallError> {
    let (asked, watch) = (asked::SCRIPT, engine::injected::watch());
    let told = script::AddPreloadScript {
        arguments: Some(vec![asked::channel()]),
        ..script::AddPreloadScript::new(format!("tell => {{ ({TOLD})(); ({asked})(tell);\n{watch} }}"))
    };
    let ours = script::AddPreloadScript {
        sandbox: Some(SANDBOX.to_owned()),
        ..script::AddPreloadScript::new("() => {}")
    };
    let bodies = network::AddDataCollector::new(vec!["request", "response"], LARGEST_BODY);
    // It is told, and comes to nothing.
    let downloads = browser::SetDownloadBehavior::new(browser::DownloadBehavior::new("denied"));
    let (ours, told) = (connection.call(&ours), connection.call(&told));
    tokio::try_join!(ours, told, connection.call(&bodies), connection.call(&downloads)).map(drop)
}

/// What a context is made with.
pub(super) fn user_context(options: &ContextOptions) -> browser::CreateUserContext {
    let proxy = options.proxy.as_ref().map(|proxy| {
        let address = proxy.address.as_str();
        let address = address.split_once("://").map_or(address, |(_, address)| address).trim_end_matches('/');
        // Nobody goes around it, this machine included: Firefox would look at the address that a request began with, and take a
        // redirect's target for the page that redirected there.
        json!({ "proxyType": "manual", "httpProxy": address, "sslProxy": address, "noProxy": [] })
    });
    browser::CreateUserContext {
        accept_insecure_certs: Some(options.ignore_https_errors),
        proxy,
        ..browser::CreateUserContext::new()
    }
}

/// A script that runs in every new document of a context, in the page's own world.
pub(super) fn preload(function: &str, context: &UserContextId) -> script::AddPreloadScript {
    script::AddPreloadScript {
        user_contexts: Some(vec![context.clone()]),
        ..script::AddPreloadScript::new(function)
    }
}

fn downloads(folder: &Path, context: &UserContextId) -> browser::SetDownloadBehavior {
    let behavior = browser::DownloadBehavior {
        destination_folder: Some(folder.display().to_string()),
        ..browser::DownloadBehavior::new("allowed")
    };
    browser::SetDownloadBehavior {
        user_contexts: Some(vec![context.clone()]),
        ..browser::SetDownloadBehavior::new(behavior)
    }
}

/// Headers that every request carries from now on.
pub(super) fn headers(headers: &[(String, String)], context: &UserContextId) -> network::SetExtraHeaders {
    let header = |(name, value): &(String, String)| {
        network::Header::new(name.as_str(), network::BytesValue::text(value.as_str()))
    };
    network::SetExtraHeaders::new(headers.iter().map(header).collect::<Vec<_>>(), vec![context.clone()])
}

/// The position that pages are told from now on.
pub(super) fn geolocation(
    position: Option<Geolocation>,
    context: &UserContextId,
) -> emulation::SetGeolocationOverride {
    let coordinates = position.map(|at| emulation::Coordinates::new(at.latitude, at.longitude, at.accuracy));
    emulation::SetGeolocationOverride::new(coordinates, vec![context.clone()])
}

/// Whether there is a network from now on.
pub(super) fn offline(offline: bool, context: &UserContextId) -> emulation::SetNetworkConditions {
    let conditions = if offline { json!({ "type": "offline" }) } else { Value::Null };
    emulation::SetNetworkConditions::new(conditions, vec![context.clone()])
}

#[cfg(test)]
mod tests {
    use engine::backend::Proxy;

    use super::*;

    #[test]
    fn a_proxy_is_told_without_its_scheme() {
        let proxy = Proxy { address: "http://127.0.0.1:8080/".to_owned(), loopback_direct: true };
        let options = ContextOptions { proxy: Some(proxy), ..ContextOptions::default() };
        let told = serde_json::to_value(user_context(&options)).unwrap();
        assert_eq!(told["proxy"]["httpProxy"], "127.0.0.1:8080");
        assert_eq!(told["proxy"]["sslProxy"], "127.0.0.1:8080");
        assert_eq!(told["proxy"]["noProxy"], json!([]));
        assert_eq!(told["acceptInsecureCerts"], false);
    }

    #[test]
    fn a_network_that_is_back_is_the_machines_own() {
        let context = UserContextId::from("u");
        assert_eq!(serde_json::to_value(offline(false, &context)).unwrap()["networkConditions"], Value::Null);
        assert_eq!(
            serde_json::to_value(offline(true, &context)).unwrap()["networkConditions"]["type"],
            "offline"
        );
    }
}
