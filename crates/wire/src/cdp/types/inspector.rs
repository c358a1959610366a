//! `Inspector`: a page that crashed, and one that came back.

command! { Enable = "Inspector.enable" }

event! { TargetCrashed = "Inspector.targetCrashed" }

event! { TargetReloadedAfterCrash = "Inspector.targetReloadedAfterCrash" }

event! { Detached = "Inspector.detached" { reason: String } }
