//! `Performance`: counters of a page, such as its heap and its nodes.

use serde::Deserialize;

command! { Enable = "Performance.enable" }

command! { Disable = "Performance.disable" }

command! { GetMetrics = "Performance.getMetrics" => Metrics }

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Metrics {
    pub metrics: Vec<Metric>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Metric {
    pub name: String,
    pub value: f64,
}
