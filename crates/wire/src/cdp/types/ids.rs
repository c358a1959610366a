//! Names that the browser gives to things: each a type of its own, so that none is taken for another.

/// An id that is a number.
macro_rules! number_id {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub i64);
    )*};
}

text_id! {
    /// A flat session on a target.
    SessionId,
    /// A page, frame, worker or the browser.
    TargetId,
    /// An isolated set of cookies, storage and pages.
    BrowserContextId,
    /// A frame; a page's main frame has its target's id.
    FrameId,
    /// One document's loading.
    LoaderId,
    /// A remote object, until it is released or its context is gone.
    RemoteObjectId,
    /// A request, the same over its redirects.
    NetworkRequestId,
    /// A request that stands still until we say how it goes on.
    FetchRequestId,
    /// A script that runs in every new document.
    ScriptIdentifier,
    /// A stream to be read by `IO.read`.
    StreamHandle,
    /// An execution context, unique over processes and navigations.
    UniqueContextId,
    /// A node of the accessibility tree.
    AxNodeId,
}

number_id! {
    /// An execution context within its session.
    ExecutionContextId,
    /// A node that we were told about.
    NodeId,
    /// A node, whether we were told about it or not.
    BackendNodeId,
    /// A browser window.
    WindowId,
}
