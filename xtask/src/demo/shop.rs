//! The demo's app: a small shop with a page and an API, as a dev server would serve it.
//!
//! It is this very program (`cargo xtask demo --serve`), because Rust is all that is surely there. Like any dev server
//! it listens on `PORT`, says where on its standard output, and complains on its standard error.

use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::time::Duration;

use anyhow::Context;

const PAGE: &str = include_str!("sample_app.html");

/// Serves until it is ended.
pub(super) fn serve() -> anyhow::Result<()> {
    let port = std::env::var("PORT").context("PORT should say where to listen")?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port.parse()?)).context("can't listen")?;
    println!("the shop is open at http://localhost:{port}/");
    for stream in listener.incoming() {
        let stream = stream?;
        // A visitor who leaves early is his own business.
        std::thread::spawn(move || answer(&stream).ok());
    }
    Ok(())
}

/// Reads one request and answers it.
fn answer(stream: &TcpStream) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream).lines();
    let first = lines.next().transpose()?.unwrap_or_default();
    for line in lines {
        if line?.is_empty() {
            break;
        }
    }
    let path = first.split(' ').nth(1).unwrap_or_default();
    let (status, kind, body) = page(path);
    if !path.is_empty() {
        println!("{} {path} {status}", first.split(' ').next().unwrap_or_default());
    }
    let length = body.len();
    let mut stream = stream;
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )
}

/// The status, the type and the text of what a path leads to.
fn page(path: &str) -> (&'static str, &'static str, String) {
    match path.split_once("?of=") {
        None if path == "/" => ("200 OK", "text/html; charset=utf-8", PAGE.to_owned()),
        Some(("/price", product)) => price(product),
        _ => ("404 Not Found", "text/plain", "no such page".to_owned()),
    }
}

/// It has its bug: what is not on the list is no customer's mistake to it, but a crash.
fn price(product: &str) -> (&'static str, &'static str, String) {
    // As a database would take its time.
    std::thread::sleep(Duration::from_millis(100));
    match product {
        "apples" => ("200 OK", "application/json", "1.2".to_owned()),
        "bread" => ("200 OK", "application/json", "2.5".to_owned()),
        product => {
            eprintln!("error: the price list has no {product}\n    at price (shop.rs:{})", line!());
            ("500 Internal Server Error", "text/plain", "the shop is out of order".to_owned())
        }
    }
}
