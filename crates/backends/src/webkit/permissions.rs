//! Permissions that are granted to pages.

use engine::backend::BackendError;

use super::bootstrap::Grant;

/// The permissions that a page can ask for here.
const PERMISSIONS: &[&str] = &[
    "geolocation",
    "notifications",
    "push",
    "midi",
    "camera",
    "microphone",
    "background-fetch",
    "background-sync",
    "persistent-storage",
    "ambient-light-sensor",
    "accelerometer",
    "gyroscope",
    "magnetometer",
    "screen-wake-lock",
    "nfc",
    "display-capture",
    "accessibility-events",
    "clipboard-read",
    "clipboard-write",
    "payment-handler",
    "idle-detection",
    "periodic-background-sync",
    "storage-access",
    "window-management",
];

/// What is to be granted, to an origin or to all.
pub(super) fn grants(names: &[String], origin: Option<&str>) -> Result<Vec<Grant>, BackendError> {
    let known = |name: &String| PERMISSIONS.contains(&name.as_str());
    if let Some(unknown) = names.iter().find(|name| !known(name)) {
        return Err(BackendError::Refused {
            request: "to grant a permission".to_owned(),
            reason: format!("there is no permission {unknown:?}"),
        });
    }
    let origin = origin.map(|origin| origin.trim_end_matches('/').to_owned());
    Ok(names.iter().map(|name| Grant { name: name.clone(), origin: origin.clone() }).collect())
}
