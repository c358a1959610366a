use super::*;
use proptest::prelude::*;

fn rules(list: &[&str]) -> Rules {
    Rules::new(list.iter().map(|entry| entry.parse().unwrap()).collect(), false)
}

fn strict(list: &[&str]) -> Rules {
    Rules { strict_loopback: true, ..rules(list) }
}

/// The kind of rule by which it is refused, or nothing.
fn verdict(rules: &Rules, host: &str, port: u16, resolved: &[&str]) -> Option<&'static str> {
    let resolved: Vec<IpAddr> = resolved.iter().map(|address| address.parse().unwrap()).collect();
    rules.judge(host, port, &resolved).err().map(|refusal| refusal.rule.kind())
}

#[test]
fn without_a_list_this_machine_and_public_hosts_are_reached_and_nothing_else() {
    let rules = rules(&[]);
    for (host, resolved, expected) in [
        ("example.com", vec!["93.184.216.34"], None),
        ("example.com", vec!["93.184.216.34", "2606:2800:220:1::1"], None),
        ("1.1.1.1", vec![], None),
        ("localhost", vec![], None),
        ("LOCALHOST.", vec![], None),
        ("app.localhost", vec![], None),
        ("127.0.0.1", vec![], None),
        ("127.1", vec![], None),
        ("127.255.0.9", vec![], None),
        ("[::1]", vec![], None),
        ("[::ffff:127.0.0.1]", vec![], None),
        ("dev.test", vec!["127.0.0.1"], None),
        ("10.0.0.1", vec![], Some("private")),
        ("169.254.169.254", vec![], Some("link_local")),
        ("2852039166", vec![], Some("link_local")),
        ("0xa9.0xfe.0xa9.0xfe", vec![], Some("link_local")),
        ("0251.0376.0251.0376", vec![], Some("link_local")),
        ("169.254.43518", vec![], Some("link_local")),
        ("169.254.169.254.", vec![], Some("link_local")),
        ("%31%36%39.254.169.254", vec![], Some("link_local")),
        ("１６９.254.169.254", vec![], Some("link_local")),
        ("[::ffff:169.254.169.254]", vec![], Some("link_local")),
        ("[64:ff9b::a9fe:a9fe]", vec![], Some("link_local")),
        ("[fe80::1]", vec![], Some("link_local")),
        ("[fd00:ec2::254]", vec![], Some("private")),
        ("0.0.0.0", vec![], Some("unspecified")),
        ("0", vec![], Some("unspecified")),
        ("[::]", vec![], Some("unspecified")),
        ("[64:ff9b::7f00:1]", vec![], Some("loopback")),
        ("255.255.255.255", vec![], Some("broadcast")),
        ("internal.test", vec!["10.0.0.1"], Some("private")),
        ("internal.test", vec!["93.184.216.34", "10.0.0.1"], Some("private")),
        ("localhost.evil.test", vec!["192.168.0.1"], Some("private")),
        ("a b", vec![], Some("no_host")),
    ] {
        assert_eq!(verdict(&rules, host, 80, &resolved), expected, "{host} {resolved:?}");
    }
}

#[test]
fn a_list_is_the_only_one() {
    let rules =
        rules(&["example.com", "*.example.org:443", "intranet.test", "10.1.0.0/16", "192.168.7.7:8080"]);
    for (host, port, resolved, expected) in [
        ("example.com", 80, vec!["93.184.216.34"], None),
        ("www.example.com", 80, vec!["93.184.216.34"], Some("not_listed")),
        ("www.example.org", 443, vec!["93.184.216.34"], None),
        ("www.example.org", 80, vec!["93.184.216.34"], Some("not_listed")),
        ("1.1.1.1", 80, vec![], Some("not_listed")),
        ("169.254.169.254", 80, vec![], Some("not_listed")),
        ("10.1.2.3", 80, vec![], None),
        ("10.2.0.1", 80, vec![], Some("not_listed")),
        ("192.168.7.7", 8080, vec![], None),
        ("192.168.7.7", 80, vec![], Some("not_listed")),
        ("[::ffff:10.1.2.3]", 80, vec![], None),
        // By its address, whatever its name.
        ("db.test", 80, vec!["10.1.0.9"], None),
        ("db.test", 80, vec!["10.1.0.9", "10.2.0.9"], Some("not_listed")),
        // A listed name leads to where everybody may go, and to what is listed itself.
        ("intranet.test", 80, vec!["10.1.0.9"], None),
        ("intranet.test", 80, vec!["10.2.0.9"], Some("private")),
        ("example.com", 80, vec!["169.254.169.254"], Some("link_local")),
        // This machine stays.
        ("localhost", 3000, vec![], None),
        ("127.0.0.1", 3000, vec![], None),
        ("example.com", 3000, vec!["127.0.0.1"], None),
        ("rebound.test", 3000, vec!["127.0.0.1"], Some("not_listed")),
    ] {
        assert_eq!(verdict(&rules, host, port, &resolved), expected, "{host}:{port} {resolved:?}");
    }
}

#[test]
fn a_name_that_cannot_be_listed_is_refused_before_anybody_is_asked_for_it() {
    let asks = |rules: &Rules, name: &str, port| {
        rules.before_look_up(&Host::read(name).unwrap(), port).map(|known| known.is_none())
    };
    let names = rules(&["example.com", "10.0.0.0/8:8080"]);
    assert_eq!(asks(&names, "example.com", 80), Ok(true));
    assert!(asks(&names, "secret.evil.test", 80).is_err());
    assert_eq!(asks(&names, "db.test", 8080), Ok(true), "its address may be listed");
    assert_eq!(asks(&rules(&[]), "secret.evil.test", 80), Ok(true));
    assert_eq!(asks(&rules(&[]), "localhost", 80), Ok(false));
}

#[test]
fn strict_loopback_leaves_the_apps_ports_alone() {
    let mut rules = strict(&[]);
    rules.admit(&Host::read("localhost").unwrap(), 3000);
    for (host, port, resolved, expected) in [
        ("localhost", 3000, vec![], None),
        ("127.0.0.1", 3000, vec![], None),
        ("[::1]", 3000, vec![], None),
        ("dev.test", 3000, vec!["127.0.0.1"], None),
        ("localhost", 3001, vec![], Some("strict_loopback")),
        ("127.0.0.1", 80, vec![], Some("strict_loopback")),
        ("127.9.9.9", 80, vec![], Some("strict_loopback")),
        ("[::ffff:127.0.0.1]", 80, vec![], Some("strict_loopback")),
        ("2130706433", 80, vec![], Some("strict_loopback")),
        ("dev.test", 80, vec!["127.0.0.1"], Some("strict_loopback")),
        ("example.com", 80, vec!["93.184.216.34"], None),
    ] {
        assert_eq!(verdict(&rules, host, port, &resolved), expected, "{host}:{port} {resolved:?}");
    }
    rules.dismiss();
    assert_eq!(verdict(&rules, "localhost", 3000, &[]), Some("strict_loopback"));
    let listed = strict(&["localhost:9000", "127.0.0.1:9001"]);
    assert_eq!(verdict(&listed, "localhost", 9000, &[]), None);
    assert_eq!(verdict(&listed, "127.0.0.1", 9001, &[]), None);
    assert_eq!(verdict(&listed, "127.0.0.1", 9000, &[]), Some("strict_loopback"));
}

#[test]
fn the_sessions_app_is_reached_wherever_it_is() {
    let mut rules = strict(&["example.com"]);
    rules.admit(&Host::read("192.168.1.5").unwrap(), 5173);
    rules.admit(&Host::read("web.test").unwrap(), 8080);
    rules.admit(&Host::read("0.0.0.0").unwrap(), 4000);
    for (host, port, resolved, expected) in [
        ("192.168.1.5", 5173, vec![], None),
        ("192.168.1.5", 80, vec![], Some("not_listed")),
        ("192.168.1.6", 5173, vec![], Some("not_listed")),
        ("web.test", 8080, vec!["172.17.0.2"], None),
        ("web.test", 80, vec!["172.17.0.2"], Some("not_listed")),
        ("0.0.0.0", 4000, vec![], None),
        ("localhost", 4000, vec![], None),
        ("0.0.0.0", 4001, vec![], Some("not_listed")),
    ] {
        assert_eq!(verdict(&rules, host, port, &resolved), expected, "{host}:{port} {resolved:?}");
    }
}

#[test]
fn a_refusal_names_the_rule_and_what_would_permit_it() {
    let name = rules(&[]).judge("db.test", 5432, &["10.0.0.7".parse().unwrap()]).unwrap_err();
    assert_eq!(name.to_string(), "db.test:5432 (10.0.0.7) is refused: private range 10.0.0.0/8");
    assert!(name.remedy().contains("add 10.0.0.7 or its range to ALLOWED_HOSTS"), "{}", name.remedy());
    let odd = rules(&[]).judge("[::FFFF:10.0.0.7]", 80, &[]).unwrap_err();
    assert_eq!(odd.to_string(), "[::ffff:10.0.0.7]:80 is refused: private range 10.0.0.0/8");
    let unlisted = rules(&["a.test"]).judge("b.test", 80, &[]).unwrap_err();
    assert_eq!(unlisted.to_string(), "b.test:80 is refused: not listed in ALLOWED_HOSTS");
}

proptest! {
    #[test]
    fn every_spelling_of_an_address_has_the_same_verdict(bits: u32, port: u16) {
        let [a, b, c, d] = bits.to_be_bytes();
        let rules = rules(&[]);
        let plainly = rules.judge(&format!("{a}.{b}.{c}.{d}"), port, &[]).map_err(|refusal| refusal.rule);
        let tail = u32::from_be_bytes([0, b, c, d]);
        for host in [
            format!("{bits}"),
            format!("0x{bits:X}"),
            format!("0{bits:o}"),
            format!("{a}.{tail}"),
            format!("0x{a:x}.0{b:o}.{c}.{d}."),
        ] {
            let verdict = rules.judge(&host, port, &[]).map_err(|refusal| refusal.rule);
            prop_assert_eq!(&verdict, &plainly, "{}", host);
        }
        let mapped = rules.judge(&format!("[::ffff:{a}.{b}.{c}.{d}]"), port, &[]);
        prop_assert_eq!(mapped.map(|_| ()).map_err(|refusal| refusal.rule), plainly.map(|_| ()));
    }

    #[test]
    fn one_refused_address_refuses_a_name_wherever_it_stands(found: Vec<u32>, at: proptest::sample::Index) {
        let mut found: Vec<IpAddr> = found.into_iter().map(|bits| IpAddr::V4(bits.into())).collect();
        found.insert(at.index(found.len() + 1), "169.254.169.254".parse().unwrap());
        prop_assert!(rules(&[]).judge("name.test", 80, &found).is_err());
    }

    #[test]
    fn what_is_permitted_is_what_was_judged(found: Vec<u32>) {
        let found: Vec<IpAddr> = found.into_iter().map(|bits| IpAddr::V4(bits.into())).collect();
        if let Ok(permitted) = rules(&[]).judge("name.test", 80, &found) {
            prop_assert!(found.iter().all(|address| address.is_loopback() || ranges::refused(*address).is_none()));
            prop_assert_eq!(permitted, found);
        }
    }
}
