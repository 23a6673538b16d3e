//! The simulator protocol (docs/protocol.md) for programs in Rust, with the standard library alone.
//! This file does not compute: `serve` gets the function that answers a request.

use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;

const LARGEST: u128 = 1 << 34; // bytes after a header

/// Why there is no answer, in one line.
pub enum Fault {
    Failed(String),
    Unsupported(String),
}
use Fault::{Failed, Unsupported};

/// An answer: the number of its states, and its columns.
pub struct Answer {
    pub states: usize,
    pub columns: Vec<f64>,
}
pub type Answers = fn(&Request) -> Result<Answer, Fault>;

/// The asker sends whole and valid requests only.
pub struct Request {
    header: HashMap<String, String>, // the values as they are written, texts without their quotes
    pub n: usize,
    pub columns: Vec<f64>, // mass, x, y, z, vx, vy, vz: n numbers each
}

impl Request {
    pub fn text(&self, name: &str) -> &str {
        self.header.get(name).map_or("", |value| value)
    }
    pub fn number(&self, name: &str) -> f64 {
        self.text(name).parse().unwrap_or(f64::NAN)
    }
    pub fn count(&self, name: &str) -> u64 {
        self.text(name).parse().unwrap_or(0)
    }
    pub fn wants(&self, name: &str) -> bool {
        self.text(name) == "true"
    }
}

/// The members of a header. Names and texts of a request hold no comma, colon, quote or brace.
fn members(line: &str) -> HashMap<String, String> {
    let plain = |word: &str| word.trim().trim_matches('"').to_string();
    let inside = line.trim().trim_matches(|c| c == '{' || c == '}');
    let pairs = inside.split(',').filter_map(|member| member.split_once(':'));
    pairs.map(|(name, value)| (plain(name), plain(value))).collect()
}

fn doubles(data: &[u8]) -> Vec<f64> {
    data.chunks_exact(8).map(|bytes| f64::from_le_bytes(bytes.try_into().unwrap())).collect()
}

fn refuse_what_cannot_be_done(request: &Request) -> Result<(), Fault> {
    let (n, steps) = (request.n as u128, request.count("steps") as u128);
    let integrator = request.text("integrator");
    if request.wants("jerk") {
        return Err(Unsupported("this program has no jerk: ask for accelerations alone".into()));
    }
    if !integrator.is_empty() {
        let reason = format!("this program has no integrator {integrator}, only Eq. 4 and 5");
        return Err(Unsupported(reason));
    }
    let reason = if request.text("precision") != "float" {
        "this program computes in float, and was asked for double"
    } else if request.count("ranks") > 1 {
        "this program runs as one process, and was asked for several ranks"
    } else if request.wants("every_state") && steps * (8 + 48 * n) > LARGEST - 24 * n {
        "every state of so many steps is too large an answer"
    } else {
        return Ok(());
    };
    Err(Failed(reason.to_string()))
}

/// The bytes of an answer or of a refusal. No reason holds a quote or a backslash.
fn reply(answer: Answers, request: &Request) -> Vec<u8> {
    let id = request.count("request");
    let refusal = |code: &str, text: String| {
        format!("{{\"answer\":{id},\"refused\":\"{code}\",\"text\":\"{text}\"}}\n").into_bytes()
    };
    match refuse_what_cannot_be_done(request).and_then(|()| answer(request)) {
        Err(Failed(text)) => refusal("failed", text),
        Err(Unsupported(text)) => refusal("unsupported", text),
        Ok(Answer { states, columns }) => {
            let (n, accelerations) = (request.n, request.wants("accelerations"));
            let mut message = format!(
                "{{\"answer\":{id},\"n\":{n},\"states\":{states},\
                 \"accelerations\":{accelerations},\"jerk\":false}}\n"
            )
            .into_bytes();
            message.extend(columns.iter().flat_map(|number| number.to_le_bytes()));
            message
        }
    }
}

fn talk(name: &str, path: &str, answer: Answers) -> io::Result<()> {
    let mut to = UnixStream::connect(path)?;
    let mut from = BufReader::new(to.try_clone()?);
    writeln!(
        to,
        "{{\"protocol\":4,\"part\":\"languages\",\"name\":\"{name}\",\"precision\":\"float\",\
         \"instruction_set\":\"\",\"ranks\":1,\"jerk\":false}}"
    )?;
    let mut line = String::new();
    while from.read_line(&mut line)? > 0 {
        let mut request = Request { header: members(&line), n: 0, columns: Vec::new() };
        request.n = request.count("n") as usize;
        let mut data = vec![0; 56 * request.n];
        from.read_exact(&mut data)?;
        request.columns = doubles(&data);
        to.write_all(&reply(answer, &request))?;
        line.clear();
    }
    Ok(())
}

/// Answers requests until there are no more.
pub fn serve(name: &str, answer: Answers) {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let path = std::env::var("LAB_SOCKET").unwrap_or_default();
    if arguments != ["--serve"] || path.is_empty() {
        eprintln!("{name}: speaks the lab's protocol alone; try ./lab check languages {name}");
        std::process::exit(2);
    }
    if let Err(fault) = talk(name, &path, answer) {
        eprintln!("{name} --serve: {fault}");
        std::process::exit(2);
    }
}
