//! Names that the browser gives to things: each a type of its own, so that none is taken for another.

text_id! {
    /// A tab, window or frame, through all its documents.
    BrowsingContextId,
    /// An isolated set of cookies, storage and pages.
    UserContextId,
    /// One navigation.
    NavigationId,
    /// A global scope of scripts.
    RealmId,
    /// A node, the same in all realms of its document.
    SharedId,
    /// A request, the same over its redirects.
    RequestId,
    /// A script that runs in every new document.
    PreloadScriptId,
    /// Requests that stand still until we say how they go on.
    InterceptId,
    /// Bodies that the browser keeps for us.
    CollectorId,
}
