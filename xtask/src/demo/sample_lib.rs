//! A very small shop: what the demo's agent has just written.

/// The price of some pieces, in cents, with a tenth off from ten pieces on.
pub fn price(pieces: u64, each: u64) -> u64 {
    let full = pieces * each;
    if pieces > 10 { full - full / 10 } else { full }
}

#[cfg(test)]
mod tests {
    use super::price;

    #[test]
    fn one_piece_costs_its_price() {
        assert_eq!(price(1, 250), 250);
    }

    #[test]
    fn nothing_costs_nothing() {
        assert_eq!(price(0, 250), 0);
    }

    #[test]
    fn ten_pieces_get_the_discount() {
        assert_eq!(price(10, 100), 900);
    }

    #[test]
    fn stock_is_checked_with_the_warehouse() {
        println!("asking the warehouse…");
        loop {
            std::thread::park();
        }
    }
}
