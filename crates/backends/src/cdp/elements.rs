//! Elements that the engine holds: objects of our world, until their document is gone or they are let go.

use engine::backend::{BackendError, FrameId, Handle, World};
use wire::cdp::Session;
use wire::cdp::types::ids::{BackendNodeId, RemoteObjectId};
use wire::cdp::types::{dom, runtime};

use super::frames::Realm;
use super::page::Page;

/// Elements that we hold are in this group.
pub(super) const HANDLES: &str = "e2e";

impl Page {
    /// The same element as an object of another world.
    pub(super) async fn adopt(&self, handle: &Handle, realm: &Realm) -> Result<RemoteObjectId, BackendError> {
        let session = self.session_of(&handle.frame)?;
        let described = self.call(&session, &describe(handle)).await?;
        self.resolve(described.node.backend_node_id, realm).await
    }

    async fn resolve(&self, node: BackendNodeId, realm: &Realm) -> Result<RemoteObjectId, BackendError> {
        let resolve = dom::ResolveNode {
            backend_node_id: Some(node),
            execution_context_id: Some(realm.number),
            object_group: Some(HANDLES.to_owned()),
            ..dom::ResolveNode::new()
        };
        let resolved = self.in_realm(realm, realm.session.send(&resolve)).await?;
        if realm.gone.is_cancelled() {
            return Err(BackendError::DocumentGone);
        }
        resolved.object.object_id.ok_or(BackendError::DocumentGone)
    }

    /// A node that the browser told of, as an element in our world.
    pub(super) async fn hold(&self, frame: &FrameId, node: BackendNodeId) -> Result<Handle, BackendError> {
        let realm = self.realm(frame, World::Utility).await?;
        Ok(handle(frame, &self.resolve(node, &realm).await?))
    }

    /// The session that a frame lives in.
    pub(super) fn session_of(&self, frame: &FrameId) -> Result<Session, BackendError> {
        self.frames().get(frame).map(|frame| frame.session.clone()).ok_or(BackendError::FrameGone)
    }

    pub(super) fn let_go(&self, handle: &Handle) {
        if let Ok(session) = self.session_of(&handle.frame) {
            drop(session.send(&runtime::ReleaseObject::new(object(handle))));
        }
    }

    pub(super) async fn frame_in(&self, element: &Handle) -> Result<Option<FrameId>, BackendError> {
        let session = self.session_of(&element.frame)?;
        let described = self.call(&session, &describe(element)).await?;
        Ok(described.node.frame_id.map(|id| id.as_str().into()))
    }

    pub(super) async fn element_around(&self, frame: &FrameId) -> Result<Handle, BackendError> {
        let parent = {
            let frames = self.frames();
            let parent = frames.get(frame).ok_or(BackendError::FrameGone)?.parent.clone();
            parent.ok_or(BackendError::Refused {
                request: "frame_element".to_owned(),
                reason: "the topmost frame lies in no element".to_owned(),
            })?
        };
        let session = self.session_of(&parent)?;
        let owner = self.call(&session, &dom::GetFrameOwner::new(frame.as_str())).await?;
        self.hold(&parent, owner.backend_node_id).await
    }

    pub(super) async fn give_files(
        &self,
        input: &Handle,
        files: Vec<std::path::PathBuf>,
    ) -> Result<(), BackendError> {
        let session = self.session_of(&input.frame)?;
        let mut names = Vec::with_capacity(files.len());
        for file in files {
            names.push(file.into_os_string().into_string().map_err(|file| BackendError::Refused {
                request: "DOM.setFileInputFiles".to_owned(),
                reason: format!("{} is not UTF-8, and the browser takes no other name", file.display()),
            })?);
        }
        let give =
            dom::SetFileInputFiles { object_id: Some(object(input)), ..dom::SetFileInputFiles::new(names) };
        self.call(&session, &give).await.map(drop)
    }
}

fn describe(handle: &Handle) -> dom::DescribeNode {
    dom::DescribeNode { object_id: Some(object(handle)), ..dom::DescribeNode::new() }
}

pub(super) fn object(handle: &Handle) -> RemoteObjectId {
    RemoteObjectId::from(&*handle.object)
}

pub(super) fn handle(frame: &FrameId, object: &RemoteObjectId) -> Handle {
    Handle { frame: frame.clone(), object: object.as_str().into() }
}
