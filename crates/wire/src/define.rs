//! How commands, events and objects of the protocols are written down.
//!
//! Names are turned into `camelCase`, which the protocols have; where that is not the protocol's own spelling (`documentURL`),
//! the field says so by `#[serde(rename)]`. A test compares those of Chromium with what the browser says of itself.

/// A command: `Name = "Domain.name" => Response { required } optional { optional }`. `=> Empty` may be left out.
macro_rules! command {
    (
        $(#[$doc:meta])*
        $name:ident = $method:literal $(=> $response:ident)? $({ $($(#[$meta:meta])* $field:ident: $type:ty),* $(,)? })?
        $(optional { $($(#[$option_meta:meta])* $option:ident: $option_type:ty),* $(,)? })?
    ) => {
        $(#[$doc])*
        #[doc = concat!("`", $method, "`")]
        #[derive(Debug, Clone, PartialEq, serde::Serialize)]
        #[serde(rename_all = "camelCase")]
        pub struct $name {
            $($($(#[$meta])* pub $field: $type,)*)?
            $($($(#[$option_meta])* #[serde(skip_serializing_if = "Option::is_none")] pub $option: Option<$option_type>,)*)?
        }

        impl $name {
            #[allow(clippy::new_without_default, reason = "commands are made by one name")]
            #[allow(clippy::too_many_arguments, reason = "as many as the command has")]
            pub fn new($($($field: impl Into<$type>),*)?) -> Self {
                Self { $($($field: $field.into(),)*)? $($($option: None,)*)? }
            }
        }

        impl $crate::command::Command for $name {
            const METHOD: &'static str = $method;
            type Response = command!(@response $($response)?);
        }
    };
    (@response) => { $crate::command::Empty };
    (@response $response:ident) => { $response };
}

/// An event: `Name = "Domain.name" { always } optional { sometimes }`.
macro_rules! event {
    (
        $(#[$doc:meta])*
        $name:ident = $method:literal $({ $($(#[$meta:meta])* $field:ident: $type:ty),* $(,)? })?
        $(optional { $($(#[$option_meta:meta])* $option:ident: $option_type:ty),* $(,)? })?
    ) => {
        $(#[$doc])*
        #[doc = concat!("`", $method, "`")]
        #[derive(Debug, Clone, PartialEq, serde::Deserialize)]
        #[serde(rename_all = "camelCase")]
        pub struct $name {
            $($($(#[$meta])* pub $field: $type,)*)?
            $($($(#[$option_meta])* pub $option: Option<$option_type>,)*)?
        }

        impl $crate::command::EventKind for $name {
            const METHOD: &'static str = $method;
        }
    };
}

/// An object that commands take, answers give, or both: `Name { always } optional { sometimes }`.
macro_rules! object {
    (
        $(#[$doc:meta])*
        $name:ident $({ $($(#[$meta:meta])* $field:ident: $type:ty),* $(,)? })?
        $(optional { $($(#[$option_meta:meta])* $option:ident: $option_type:ty),* $(,)? })?
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(rename_all = "camelCase")]
        pub struct $name {
            $($($(#[$meta])* pub $field: $type,)*)?
            $($($(#[$option_meta])* #[serde(skip_serializing_if = "Option::is_none")] pub $option: Option<$option_type>,)*)?
        }

        impl $name {
            #[allow(clippy::new_without_default, reason = "objects are made by one name")]
            #[allow(clippy::too_many_arguments, reason = "as many as the object has")]
            pub fn new($($($field: impl Into<$type>),*)?) -> Self {
                Self { $($($field: $field.into(),)*)? $($($option: None,)*)? }
            }
        }
    };
}

/// A choice of words: `Name { Variant = "word" }`. A word that we don't know is `Other`: browsers grow.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $word:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $name {
            $(#[serde(rename = $word)] $variant,)*
            /// A word that came after this was written; never sent.
            #[serde(other, skip_serializing)]
            Other,
        }

        impl $name {
            /// The protocol's word.
            pub fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                    Self::Other => "other",
                }
            }
        }
    };
}

/// An id that is a text.
macro_rules! text_id {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl From<&str> for $name {
            fn from(id: &str) -> Self {
                Self(id.to_owned())
            }
        }

        impl From<String> for $name {
            fn from(id: String) -> Self {
                Self(id)
            }
        }

        impl From<&$name> for $name {
            fn from(id: &$name) -> Self {
                id.clone()
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }
    )*};
}
