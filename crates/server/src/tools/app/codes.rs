//! What can go wrong with a dev server, by name (A-design).

use crate::tools::code::{ErrorCode, codes};

codes! {
    SERVER_START_FAILED = "server_start_failed", "the dev server did not start; `details.kind` says how, `serverLogs` and `details.stderr` say why";
    SHUTDOWN_FAILED = "shutdown_failed", "the dev server could not be ended; `details.survivors` names what lives";
    COMMAND_NOT_FOUND = "command_not_found", "there is no server command at that path";
    PERMISSION_DENIED = "permission_denied", "the server command may not be executed";
    NO_SERVER = "no_server", "the session has no dev server; start_session starts one that has";
    LOG_FILE_NOT_FOUND = "log_file_not_found", "the log that the server command named does not exist";
    LOG_READ_FAILED = "log_read_failed", "the log that the server command named can't be read";
}
