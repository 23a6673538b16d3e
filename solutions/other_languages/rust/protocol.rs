//! The simulator protocol (docs/protocol.md) for programs in Rust, with the standard library alone.
//! This file does not compute: `serve` gets the function that answers a request.

use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;

const REQUEST: u32 = 1;
const ANSWER: u32 = 2;
const REFUSAL: u32 = 3;
const HELLO: u32 = 4;
const UNSUPPORTED: u32 = 5;
const FLOAT: u32 = 4; // bytes per number in the computation
const LARGEST: u64 = 1 << 34;
const SETTING: usize = 136;

/// Bytes that are no request end the program; other requests are refused. One line each.
pub enum Fault {
    NoRequest(&'static str),
    Refused(String),
    Unsupported(String),
}
use Fault::{NoRequest, Refused, Unsupported};

/// The payload of an answer.
pub type Answers = fn(&Request) -> Result<Vec<u8>, Fault>;

pub struct Request {
    pub precision: u32,
    pub flags: u32,
    pub threads: u32,
    pub ranks: u32,
    pub n: usize,
    pub steps: u64,
    pub constants: [f64; 5], // G, softening, dt, floor, damping
    pub integrator: String,
    pub columns: Vec<f64>, // mass, x, y, z, vx, vy, vz: n numbers each
}

fn u32_at(data: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(data[at..at + 4].try_into().unwrap())
}
fn u64_at(data: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(data[at..at + 8].try_into().unwrap())
}
fn f64_at(data: &[u8], at: usize) -> f64 {
    f64::from_bits(u64_at(data, at))
}

fn parsed(data: &[u8]) -> Result<Request, Fault> {
    if data.len() < SETTING {
        return Err(NoRequest("a request without a setting"));
    }
    let name: Vec<u8> = data[72..SETTING].iter().copied().take_while(|&c| c != 0).collect();
    let n = u64_at(data, 16);
    let request = Request {
        precision: u32_at(data, 0),
        flags: u32_at(data, 4),
        threads: u32_at(data, 8),
        ranks: u32_at(data, 12),
        n: n as usize,
        steps: u64_at(data, 24),
        constants: [32, 40, 48, 56, 64].map(|at| f64_at(data, at)),
        integrator: String::from_utf8_lossy(&name).into_owned(),
        columns: data[SETTING..].chunks_exact(8).map(|number| f64_at(number, 0)).collect(),
    };
    let known = request.flags < 16 && (request.precision == 4 || request.precision == 8);
    if !known || n == 0 || n > 1 << 27 || data.len() as u64 != SETTING as u64 + 56 * n {
        return Err(NoRequest("a request of another shape"));
    }
    let masses = &request.columns[..request.n];
    let positive = |c: &f64| c.is_finite() && *c >= 0.0;
    if !request.columns.iter().all(|c| c.is_finite())
        || !masses.iter().all(|&m| m > 0.0)
        || !request.constants.iter().all(positive)
    {
        return Err(NoRequest("a request with numbers out of range"));
    }
    Ok(request)
}

fn refuse_what_cannot_be_done(request: &Request) -> Result<(), Fault> {
    let bytes = (request.steps as u128) * (8 + 48 * request.n as u128);
    if request.flags & 8 != 0 {
        return Err(Unsupported("this program has no jerk: ask for accelerations alone".to_string()));
    }
    if !request.integrator.is_empty() {
        let name = &request.integrator;
        return Err(Unsupported(format!("this program has no integrator {name}, only Eq. 4 and 5")));
    }
    let reason = if request.precision != FLOAT {
        "this program computes in float, and was asked for double".to_string()
    } else if request.ranks > 1 {
        "this program runs as one process, and was asked for several ranks".to_string()
    } else if request.flags & 2 != 0 && bytes > LARGEST as u128 / 2 {
        "every state of so many steps is too large an answer".to_string()
    } else {
        return Ok(());
    };
    Err(Refused(reason))
}

fn send(to: &mut dyn Write, kind: u32, id: u64, payload: &[u8]) -> io::Result<()> {
    let mut head = b"NBODYLAB\x03\0\0\0".to_vec();
    head.extend(kind.to_le_bytes());
    head.extend(id.to_le_bytes());
    head.extend((payload.len() as u64).to_le_bytes());
    to.write_all(&head)?;
    to.write_all(payload)?;
    to.flush()
}

fn hello(name: &str) -> Vec<u8> {
    let mut payload: Vec<u8> = [FLOAT, 0, 1, 0].iter().flat_map(|x| x.to_le_bytes()).collect();
    for (end, word) in [(80, "languages"), (144, name), (208, "")] {
        payload.extend(word.bytes());
        payload.resize(end, 0);
    }
    payload
}

/// This many bytes, or fewer at the end of the input. Memory grows with them: a header may lie.
fn read(from: &mut dyn Read, size: u64) -> io::Result<Vec<u8>> {
    let mut data = Vec::new();
    from.take(size).read_to_end(&mut data)?;
    Ok(data)
}

/// False at the end of the input.
fn serve_one(answer: Answers, from: &mut dyn Read, to: &mut dyn Write) -> io::Result<bool> {
    let no_request = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what.to_string());
    let head = read(from, 32)?;
    if head.is_empty() {
        return Ok(false);
    }
    if head.len() < 32 || &head[..12] != b"NBODYLAB\x03\0\0\0" {
        return Err(no_request("no message of version 3"));
    }
    let (kind, id, size) = (u32_at(&head, 12), u64_at(&head, 16), u64_at(&head, 24));
    let payload = if kind == REQUEST && size <= LARGEST { read(from, size)? } else { Vec::new() };
    let request = match payload.len() as u64 == size {
        true => parsed(&payload),
        false => Err(NoRequest("a message that is no whole request")),
    };
    let able = |request: Request| refuse_what_cannot_be_done(&request).map(|()| request);
    match request.and_then(able).and_then(|request| answer(&request)) {
        Ok(payload) => send(to, ANSWER, id, &payload)?,
        Err(Refused(reason)) => send(to, REFUSAL, id, reason.as_bytes())?,
        Err(Unsupported(what)) => send(to, UNSUPPORTED, id, what.as_bytes())?,
        Err(NoRequest(reason)) => {
            send(to, REFUSAL, id, reason.as_bytes())?;
            return Err(no_request(reason));
        }
    }
    Ok(true)
}

/// Nothing here prints to standard output, so descriptors 0 and 1 can stay where they are.
fn talk(name: &str, answer: Answers) -> io::Result<()> {
    let (mut from, mut to): (Box<dyn Read>, Box<dyn Write>) = match std::env::var("LAB_SOCKET") {
        Ok(path) if !path.is_empty() => {
            let connection = UnixStream::connect(path)?;
            (Box::new(connection.try_clone()?), Box::new(connection))
        }
        _ => (Box::new(io::stdin()), Box::new(io::stdout())),
    };
    send(&mut *to, HELLO, 0, &hello(name))?;
    while serve_one(answer, &mut *from, &mut *to)? {}
    Ok(())
}

/// Answers requests until there are no more.
pub fn serve(name: &str, answer: Answers) {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments != ["--serve"] {
        eprintln!("{name}: speaks the lab's protocol alone; try ./lab check languages {name}");
        std::process::exit(2);
    }
    if let Err(fault) = talk(name, answer) {
        eprintln!("{name} --serve: {fault}");
        std::process::exit(2);
    }
}
