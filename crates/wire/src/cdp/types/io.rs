//! `IO`: long answers, piece by piece.

use serde::Deserialize;

use super::ids::StreamHandle;

command! { Read = "IO.read" => Piece { handle: StreamHandle } optional { offset: i64, size: i64 } }

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Piece {
    #[serde(default)]
    pub base64_encoded: bool,
    pub data: String,
    pub eof: bool,
}

command! { Close = "IO.close" { handle: StreamHandle } }
