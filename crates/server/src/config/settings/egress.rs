//! The settings of where browsers may go.

use super::super::setting::{Kind, Section, Setting};

pub(crate) static ALLOWED_HOSTS: Setting = Setting {
    name: "allowed-hosts",
    variables: &["ALLOWED_HOSTS"],
    kind: Kind::Names("LIST"),
    default: "every public host",
    section: Section::Browser,
    help: "What browsers may reach besides this machine and the session's app: names (example.com), names below one \
           (*.example.com), addresses and ranges (10.0.0.0/8), each with or without a port (:8080), separated by commas. \
           A name is reached at public addresses; a private one has to be listed itself",
};

pub(crate) static STRICT_LOOPBACK: Setting = Setting {
    name: "strict-loopback",
    variables: &[],
    kind: Kind::Switch,
    default: "false",
    section: Section::Browser,
    help: "On this machine browsers reach the session's app and what --allowed-hosts lists, and no other port",
};
