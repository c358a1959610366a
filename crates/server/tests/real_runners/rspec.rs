use crate::case::{Case, Failing};

const FILES: &[(&str, &str)] = &[
    (
        "spec/cart_spec.rb",
        r#"RSpec.describe "Cart" do
  it("adds") { File.write(ENV["RAN"] + "/adds", "") }
end
"#,
    ),
    (
        "spec/price_spec.rb",
        r#"RSpec.describe "Price" do
  it "rounds" do
    File.write(ENV["RAN"] + "/rounds", "")
    expect(2).to eq(3), "off by one"
  end
end
"#,
    ),
    (
        "spec/-dash_spec.rb",
        r#"RSpec.describe "Dash" do
  it("dashes") { File.write(ENV["RAN"] + "/dashes", "") }
end
"#,
    ),
];

#[test]
fn rspec_runs_for_real_in_every_scope() {
    Case {
        runner: "rspec",
        files: FILES,
        npm: false,
        passing: "spec/cart_spec.rb",
        failing: Failing { test: "Price rounds", file: "spec/price_spec.rb", line: 4, message: "off by one" },
        dashed: Some("spec/-dash_spec.rb"),
    }
    .holds();
}
