//! `DOM`: nodes by their numbers, their boxes, files for inputs.

use serde::Deserialize;

use super::ids::{BackendNodeId, ExecutionContextId, FrameId, NodeId, RemoteObjectId};
use super::runtime::RemoteObject;

command! { Enable = "DOM.enable" }

command! { Disable = "DOM.disable" }

/// A rectangle in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub struct Rect {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

/// Four corners, clockwise: x, y, x, y, …
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(transparent)]
pub struct Quad(pub [f64; 8]);

command! { GetDocument = "DOM.getDocument" => Document optional { depth: i64, pierce: bool } }

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Document {
    pub root: Node,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Node {
    pub node_id: NodeId,
    pub parent_id: Option<NodeId>,
    pub backend_node_id: BackendNodeId,
    pub node_type: i64,
    pub node_name: String,
    pub local_name: String,
    pub node_value: String,
    pub child_node_count: Option<i64>,
    #[serde(default)]
    pub children: Vec<Self>,
    /// Names and values in turn.
    #[serde(default)]
    pub attributes: Vec<String>,
    /// For a frame element: the frame that it holds.
    pub frame_id: Option<FrameId>,
    pub content_document: Option<Box<Self>>,
    #[serde(default)]
    pub shadow_roots: Vec<Self>,
    pub shadow_root_type: Option<String>,
}

command! {
    DescribeNode = "DOM.describeNode" => Described
    optional {
        node_id: NodeId,
        backend_node_id: BackendNodeId,
        object_id: RemoteObjectId,
        depth: i64,
        pierce: bool,
    }
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Described {
    pub node: Node,
}

command! {
    ResolveNode = "DOM.resolveNode" => Resolved
    optional {
        node_id: NodeId,
        backend_node_id: BackendNodeId,
        object_group: String,
        execution_context_id: ExecutionContextId,
    }
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Resolved {
    pub object: RemoteObject,
}

command! { RequestNode = "DOM.requestNode" => RequestedNode { object_id: RemoteObjectId } }

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RequestedNode {
    pub node_id: NodeId,
}

command! { GetFrameOwner = "DOM.getFrameOwner" => FrameOwner { frame_id: FrameId } }

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FrameOwner {
    pub backend_node_id: BackendNodeId,
    pub node_id: Option<NodeId>,
}

command! {
    GetContentQuads = "DOM.getContentQuads" => ContentQuads
    optional { node_id: NodeId, backend_node_id: BackendNodeId, object_id: RemoteObjectId }
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct ContentQuads {
    pub quads: Vec<Quad>,
}

command! {
    GetBoxModel = "DOM.getBoxModel" => GotBoxModel
    optional { node_id: NodeId, backend_node_id: BackendNodeId, object_id: RemoteObjectId }
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct GotBoxModel {
    pub model: BoxModel,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct BoxModel {
    pub content: Quad,
    pub padding: Quad,
    pub border: Quad,
    pub margin: Quad,
    pub width: i64,
    pub height: i64,
}

command! {
    GetNodeForLocation = "DOM.getNodeForLocation" => NodeForLocation { x: i64, y: i64 }
    optional {
        #[serde(rename = "includeUserAgentShadowDOM")]
        include_user_agent_shadow_dom: bool,
        ignore_pointer_events_none: bool,
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NodeForLocation {
    pub backend_node_id: BackendNodeId,
    pub frame_id: FrameId,
    pub node_id: Option<NodeId>,
}

command! {
    ScrollIntoViewIfNeeded = "DOM.scrollIntoViewIfNeeded"
    optional { node_id: NodeId, backend_node_id: BackendNodeId, object_id: RemoteObjectId }
}

command! {
    SetFileInputFiles = "DOM.setFileInputFiles" { files: Vec<String> }
    optional { node_id: NodeId, backend_node_id: BackendNodeId, object_id: RemoteObjectId }
}

command! {
    Focus = "DOM.focus" optional { node_id: NodeId, backend_node_id: BackendNodeId, object_id: RemoteObjectId }
}
