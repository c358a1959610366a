//! `Accessibility`: the browser's own tree of roles and names, which ours is checked against.

use serde::Deserialize;
use serde_json::Value;

use super::ids::{AxNodeId, BackendNodeId, FrameId, NodeId, RemoteObjectId};

command! { Enable = "Accessibility.enable" }

command! { Disable = "Accessibility.disable" }

command! { GetFullAxTree = "Accessibility.getFullAXTree" => AxNodes optional { depth: i64, frame_id: FrameId } }

command! {
    GetPartialAxTree = "Accessibility.getPartialAXTree" => AxNodes
    optional {
        node_id: NodeId,
        backend_node_id: BackendNodeId,
        object_id: RemoteObjectId,
        fetch_relatives: bool,
    }
}

command! {
    QueryAxTree = "Accessibility.queryAXTree" => AxNodes
    optional {
        node_id: NodeId,
        backend_node_id: BackendNodeId,
        object_id: RemoteObjectId,
        accessible_name: String,
        role: String,
    }
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct AxNodes {
    pub nodes: Vec<AxNode>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AxNode {
    pub node_id: AxNodeId,
    pub ignored: bool,
    pub role: Option<AxValue>,
    pub name: Option<AxValue>,
    pub description: Option<AxValue>,
    pub value: Option<AxValue>,
    #[serde(default)]
    pub properties: Vec<AxProperty>,
    pub parent_id: Option<AxNodeId>,
    #[serde(default)]
    pub child_ids: Vec<AxNodeId>,
    #[serde(rename = "backendDOMNodeId")]
    pub backend_dom_node_id: Option<BackendNodeId>,
    pub frame_id: Option<FrameId>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct AxValue {
    pub r#type: String,
    pub value: Option<Value>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct AxProperty {
    pub name: String,
    pub value: AxValue,
}
