//! `Emulation`: what a page believes about its screen, place, time and device.

use serde::Deserialize;
use serde_json::Value;

command! {
    SetDeviceMetricsOverride = "Emulation.setDeviceMetricsOverride"
    { width: i64, height: i64, device_scale_factor: f64, mobile: bool }
    optional {
        scale: f64,
        screen_width: i64,
        screen_height: i64,
        position_x: i64,
        position_y: i64,
        dont_set_visible_size: bool,
        screen_orientation: ScreenOrientation,
    }
}

object! { ScreenOrientation { r#type: String, angle: i64 } }

command! { GetScreenInfos = "Emulation.getScreenInfos" => ScreenInfos }

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ScreenInfos {
    pub screen_infos: Vec<ScreenInfo>,
}

/// A screen, of which we read only that much.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ScreenInfo {
    pub width: i64,
    pub height: i64,
    pub is_primary: bool,
}

command! {
    /// Its size is one in device pixels, its place is not.
    AddScreen = "Emulation.addScreen" { left: i64, top: i64, width: i64, height: i64 }
    optional { device_pixel_ratio: f64 }
}

command! { ClearDeviceMetricsOverride = "Emulation.clearDeviceMetricsOverride" }

command! {
    SetUserAgentOverride = "Emulation.setUserAgentOverride" { user_agent: String }
    optional { accept_language: String, platform: String, user_agent_metadata: Value }
}

command! { SetLocaleOverride = "Emulation.setLocaleOverride" optional { locale: String } }

command! { SetTimezoneOverride = "Emulation.setTimezoneOverride" { timezone_id: String } }

command! {
    /// Without coordinates, the position is unavailable.
    SetGeolocationOverride = "Emulation.setGeolocationOverride"
    optional { latitude: f64, longitude: f64, accuracy: f64 }
}

command! { ClearGeolocationOverride = "Emulation.clearGeolocationOverride" }

command! {
    SetEmulatedMedia = "Emulation.setEmulatedMedia" optional { media: String, features: Vec<MediaFeature> }
}

object! { MediaFeature { name: String, value: String } }

command! {
    SetTouchEmulationEnabled = "Emulation.setTouchEmulationEnabled" { enabled: bool }
    optional { max_touch_points: i64 }
}

command! { SetScriptExecutionDisabled = "Emulation.setScriptExecutionDisabled" { value: bool } }

command! { SetFocusEmulationEnabled = "Emulation.setFocusEmulationEnabled" { enabled: bool } }

command! { SetScrollbarsHidden = "Emulation.setScrollbarsHidden" { hidden: bool } }

command! { SetCpuThrottlingRate = "Emulation.setCPUThrottlingRate" { rate: f64 } }

object! { Rgba { r: i64, g: i64, b: i64 } optional { a: f64 } }

command! { SetDefaultBackgroundColorOverride = "Emulation.setDefaultBackgroundColorOverride" optional { color: Rgba } }

command! { SetEmitTouchEventsForMouse = "Emulation.setEmitTouchEventsForMouse" { enabled: bool } }
