//! What a page's requests and their answers carried.

use base::CallScope;

use super::{Interruption, Page};

impl Page {
    /// The body that the request with this number was sent with; nothing when it had none, or there is no such request.
    ///
    /// # Errors
    /// [`Interruption`] when the browser does not have it any more.
    pub async fn request_body(
        &self,
        index: usize,
        scope: &CallScope,
    ) -> Result<Option<Vec<u8>>, Interruption> {
        let request = self.state().network.by_index(index).map(|exchange| exchange.request.clone());
        let Some(request) = request.filter(|request| request.has_body) else { return Ok(None) };
        scope.race(self.backend().request_body(&request.id)).await?.map_err(Interruption::Backend)
    }

    /// The body that the request with this number was answered with; nothing when there is none.
    ///
    /// # Errors
    /// [`Interruption`] when the browser does not have it any more.
    pub async fn response_body(
        &self,
        index: usize,
        scope: &CallScope,
    ) -> Result<Option<Vec<u8>>, Interruption> {
        let request = self
            .state()
            .network
            .by_index(index)
            .filter(|exchange| exchange.response.is_some())
            .map(|exchange| exchange.request.id.clone());
        let Some(request) = request else { return Ok(None) };
        let body = scope.race(self.backend().response_body(&request)).await?;
        body.map(Some).map_err(Interruption::Backend)
    }
}
