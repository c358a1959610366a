//! docs/configuration.md, made from the settings.

use super::setting::{Section, Setting};
use super::settings::SETTINGS;

fn page() -> String {
    let mut page = String::from(
        "# Configuration\n\nMade from the settings by the tests (`UPDATE_DOCS=1 cargo nextest run -p e2e-mcp-server`); \
         don't edit it.\n\nA setting is a flag, a variable or a key of the config file; a flag wins over a variable, \
         a variable over the file. The file (`--config`) is TOML, or JSON when it begins with `{`; its keys are the \
         flags' names, in kebab-case, snake_case or camelCase; relative paths in it start at its own folder. Lists are \
         separated by commas, or are lists in the file. What is unknown or can't be understood ends the start with \
         exit code 2 and a message that names it.\n",
    );
    for section in Section::ALL {
        page.push_str(&format!(
            "\n## {}\n\n| flag | variables | default | |\n|---|---|---|---|\n",
            section.heading()
        ));
        for setting in SETTINGS.iter().filter(|setting| setting.section == *section) {
            page.push_str(&row(setting));
        }
    }
    page
}

fn row(setting: &Setting) -> String {
    let variables: Vec<String> = setting.all_variables().iter().map(|name| format!("`{name}`")).collect();
    let values = setting.kind.placeholder().replace('|', "\\|");
    format!(
        "| `--{} {values}` | {} | {} | {} |\n",
        setting.name,
        variables.join(", "),
        setting.default,
        setting.help
    )
}

#[test]
fn the_page_of_the_settings_is_up_to_date() {
    crate::generated::is_up_to_date("docs/configuration.md", &page());
}
