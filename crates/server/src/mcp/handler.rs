//! What the server says to each MCP request, on any transport and in every revision that the SDK knows.

use std::sync::Arc;

use axum::http::request::Parts;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult, CustomRequest,
    CustomResult, ErrorCode, ErrorData, Implementation, InitializeRequestParams, InitializeResult,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ProtocolVersion, ReadResourceRequestParams, ReadResourceResponse,
    ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{RoleServer, ServerHandler};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::call::{Audience, Call};
use super::http::{self, Cancellations};
use super::log::{Log, SetLevel};
use super::roots::Roots;
use super::{Tools, convert};
use crate::logging::{News, Trace};
use crate::tools::Arrival;

/// What every client is told about this server. Short: it costs each conversation tokens.
const INSTRUCTIONS: &str = "Checks your work end to end. Every call comes back: a failed one says what went wrong, \
                            why, and what to do next. Long calls report progress and can be cancelled; whatever a \
                            call started is ended with it. In the browser, navigate first; elements are addressed by \
                            ref from a snapshot or by selector; actions answer with what they changed; with start_session, also with what the dev server logged. sessionId may \
                            be left out while one session is open; every browser tool takes timeout in ms.";

/// The requests that are answered; with wrong parameters they arrive as custom requests.
const ANSWERED: &[&str] = &[
    "initialize",
    "logging/setLevel",
    "ping",
    "resources/read",
    "server/discover",
    "tools/call",
    "tools/list",
];
/// What revision 2026-07-28 removed of them (SEP-2575).
const REMOVED: &[&str] = &["initialize", "logging/setLevel", "ping"];

/// Answers MCP requests from the tools. Clones are the same server.
#[derive(Clone)]
pub(crate) struct Handler {
    tools: Arc<dyn Tools>,
    /// The list as it goes out, made once.
    listed: Arc<[Tool]>,
    /// Fires when the server is ending and running calls should be, too.
    ending: CancellationToken,
    cancellations: Cancellations,
    roots: Roots,
    log: Log,
}

impl Handler {
    /// A server of these tools, whose calls are cancelled when `ending` fires.
    pub(crate) fn new(tools: Arc<dyn Tools>, ending: CancellationToken) -> Self {
        let listed = tools.listed().iter().map(convert::tool);
        #[cfg(feature = "conformance")]
        let listed = listed.chain(super::fixtures::listed());
        let listed = listed.collect();
        Self {
            tools,
            listed,
            ending,
            cancellations: Cancellations::default(),
            roots: Roots::NotAsked,
            log: Log::Untold,
        }
    }

    /// The same, for a connection on which the client can be asked something.
    pub(crate) fn asking_roots(mut self) -> Self {
        self.roots = Roots::AskedOnce(Arc::default());
        self
    }

    /// The same, for a connection on which the client can be told what is logged.
    pub(crate) fn telling(mut self, news: News) -> Self {
        self.log = Log::of(news);
        self
    }

    /// How many sessions are open.
    pub(crate) fn sessions(&self) -> usize {
        self.tools.sessions()
    }

    /// The tools themselves.
    pub(super) fn tools(&self) -> &dyn Tools {
        &*self.tools
    }

    /// The calls that a legacy HTTP client can cancel.
    pub(crate) fn cancellations(&self) -> &Cancellations {
        &self.cancellations
    }

    /// Runs a call to its answer.
    async fn run(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        #[cfg(feature = "conformance")]
        if let Some(answer) = super::fixtures::answer(&request, &context) {
            return answer;
        }
        self.roots.settle(&context.peer, &*self.tools).await;
        let (unwanted, _registered) = self.cancellations.token(&context);
        let parts = context.extensions.get::<Parts>();
        let subject = parts.map(http::subject).unwrap_or_default();
        let trace = parts.and_then(|parts| Trace::of(&parts.headers));
        // The call counts as going on until it is over, whether or not anybody waits for it.
        let _permit = parts.and_then(|parts| parts.extensions.get::<http::Permit>().cloned());
        let arrival = context.extensions.get::<Arrival>().cloned().unwrap_or_default();
        let audience = context.meta.get_progress_token().map(|token| Audience { peer: context.peer, token });
        let call = Call {
            name: &request.name,
            arguments: request.arguments.unwrap_or_default(),
            unwanted,
            ending: &self.ending,
            audience,
            arrival,
            subject,
            trace,
        };
        if !self.tools.knows(&request.name) {
            return Err(self.unknown_tool(call).await);
        }
        Ok(convert::result(call.run(&*self.tools).await).into())
    }

    /// A name that no tool has is a protocol error (MCP 2025-11-25, Tools: error handling); the tools word it.
    async fn unknown_tool(&self, call: Call<'_>) -> ErrorData {
        let name = call.name.to_owned();
        let reply = call.run(&*self.tools).await;
        let message =
            convert::message(&reply).unwrap_or_else(|| format!("unknown tool `{name}`; see tools/list"));
        ErrorData::invalid_params(message, None)
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let name = Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
        let capabilities = ServerCapabilities::builder().enable_tools();
        #[cfg(feature = "conformance")]
        let capabilities = capabilities.enable_prompts().enable_resources();
        let mut capabilities = capabilities.build();
        if self.log.is_told() {
            capabilities.logging = Some(serde_json::Map::new());
        }
        ServerConfig::new(capabilities).with_server_info(name).with_instructions(INSTRUCTIONS)
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        if is_modern(&context) {
            return Err(unknown_method("initialize"));
        }
        let agreed = self.negotiate_initialize(&request)?;
        // What was agreed, not what was asked for, decides the shape of later results.
        let mut client = request;
        client.protocol_version = agreed.protocol_version.clone();
        context.peer.set_peer_info(client);
        Ok(agreed)
    }

    async fn set_level(
        &self,
        request: SetLevel,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let told = !is_modern(&context) && self.log.set(&request, context.peer);
        if told { Ok(()) } else { Err(unknown_method("logging/setLevel")) }
    }

    async fn on_initialized(&self, _: NotificationContext<RoleServer>) {
        self.tools.client_is_there();
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        // There is no handshake to wait for since 2026-07-28.
        if is_modern(&context) {
            self.tools.client_is_there();
        }
        Ok(ListToolsResult::with_all_items(self.listed.to_vec()))
    }

    /// Lets the SDK check `Mcp-Param-*` headers against the schema.
    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.listed.iter().find(|tool| tool.name == name).cloned()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        // The SDK moves what it runs three times on its way: a pointer is cheaper than all that a call may come to.
        Box::pin(self.run(request, context)).await
    }

    // The SDK answers these lists with empty ones, but what a server doesn't declare it must not handle (SEP-2575).
    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        declared("prompts/list").map(|()| ListPromptsResult::default())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        declared("resources/list").map(|()| ListResourcesResult::default())
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        declared("resources/templates/list").map(|()| ListResourceTemplatesResult::default())
    }

    async fn complete(
        &self,
        _: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        Err(unknown_method("completion/complete"))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let message = format!("no resource `{}`: this server has tools only", request.uri);
        Err(ErrorData::resource_not_found(message, Some(json!({ "uri": request.uri }))))
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let method = request.method.as_str();
        if !ANSWERED.contains(&method) || (is_modern(&context) && REMOVED.contains(&method)) {
            return Err(unknown_method(method));
        }
        let message = format!("the params of `{method}` are missing or of the wrong type");
        Err(ErrorData::invalid_params(message, None))
    }
}

/// Prompts and resources are declared for the conformance suite only (`fixtures`).
fn declared(method: &str) -> Result<(), ErrorData> {
    if cfg!(feature = "conformance") { Ok(()) } else { Err(unknown_method(method)) }
}

fn is_modern(context: &RequestContext<RoleServer>) -> bool {
    context.meta.protocol_version().is_some_and(|version| version >= ProtocolVersion::NO_INITIALIZE)
}

fn unknown_method(method: &str) -> ErrorData {
    ErrorData::new(ErrorCode::METHOD_NOT_FOUND, format!("unknown method `{method}`"), None)
}
