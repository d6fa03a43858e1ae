//! The process that a library under comparison runs in: `pwp compare-worker`, started by `process.rs`.
//!
//! Its standard input is a socket to the process that compares. First it says whether the library opened; then it answers
//! requests until the socket ends. A request is a header and its inputs. The answer comes in blocks, each with a header,
//! so that the other side knows which block the library died in. Numbers are in the machine's own byte order: both ends
//! are one program.

use std::ffi::{CString, OsString};
use std::io::{BufReader, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixStream;

use anyhow::{Context, Result};
use pwp_foreign::{Abi, Answer, Call, Library};
use pwp_sim_core::Function;

/// What the worker is started with.
#[derive(Debug, clap::Args)]
pub struct Options {
    library: OsString,
    profiles: OsString,
    constructor: Option<OsString>,
    simulate: Option<OsString>,
}

/// A request: which function, how scaled, how many inputs, and how many of them in one call of the library.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Request {
    /// The function.
    pub function: Function,
    /// The scaling and the path.
    pub call: Call,
    /// The number of inputs.
    pub count: u32,
    /// The number of inputs of one call.
    pub block: u32,
}

/// The size of a request's header.
pub const REQUEST: usize = 28;

/// The size of a block's header: the kind of the answer and the length of its message.
pub const ANSWER: usize = 8;

/// Every output of the block follows.
pub const DONE: u32 = 0;
/// The library's words follow, and then every output of the block.
pub const UNHANDLED: u32 = 1;
/// The library's words follow, and the request is at its end.
pub const REFUSED: u32 = 2;

impl Request {
    /// The header.
    pub fn to_bytes(self) -> [u8; REQUEST] {
        let Call { scale, bias, alpha, use_pwp } = self.call;
        let words = [
            self.function as u32,
            scale.to_bits(),
            bias.to_bits(),
            alpha.to_bits(),
            u32::from(use_pwp),
            self.count,
            self.block,
        ];
        let mut bytes = [0; REQUEST];
        bytes.chunks_exact_mut(4).zip(words).for_each(|(bytes, word)| bytes.copy_from_slice(&word.to_ne_bytes()));
        bytes
    }

    fn from_bytes(bytes: &[u8; REQUEST]) -> Result<Request> {
        let word = |index: usize| u32::from_ne_bytes(std::array::from_fn(|byte| bytes[4 * index + byte]));
        let float = |index| f32::from_bits(word(index));
        let function = Function::from_id(word(0) as i32)?;
        let call = Call { scale: float(1), bias: float(2), alpha: float(3), use_pwp: word(4) != 0 };
        Ok(Request { function, call, count: word(5), block: word(6) })
    }
}

/// Runs the worker.
///
/// # Errors
/// When the other side breaks off in the middle of a request.
pub fn run(options: &Options) -> Result<()> {
    pwp_foreign::end_with_parent();
    let socket = UnixStream::from(std::io::stdin().as_fd().try_clone_to_owned()?);
    let text = |text: &OsString| CString::new(text.as_bytes()).context("an argument has a NUL in it");
    let abi = match (&options.constructor, &options.simulate) {
        (Some(constructor), Some(simulate)) => Abi::Cxx { constructor: text(constructor)?, simulate: text(simulate)? },
        _ => Abi::C,
    };
    let mut library = match Library::open(&text(&options.library)?, &abi, &text(&options.profiles)?) {
        Ok(library) => library,
        Err(reason) => return answer(&socket, REFUSED, &reason, &[]),
    };
    answer(&socket, DONE, "", &[])?;
    serve(&mut library, &socket)
}

fn serve(library: &mut Library, socket: &UnixStream) -> Result<()> {
    let names: Vec<CString> = Function::all().map(|function| function.c_name().to_owned()).collect();
    let mut reader = BufReader::new(socket);
    let (mut bytes, mut input, mut output) = (Vec::new(), Vec::new(), Vec::new());
    loop {
        let mut header = [0; REQUEST];
        if reader.read_exact(&mut header).is_err() {
            return Ok(()); // the other side is done
        }
        let request = Request::from_bytes(&header)?;
        bytes.resize(4 * request.count as usize, 0);
        reader.read_exact(&mut bytes)?;
        input.clear();
        input.extend(bytes.as_chunks().0.iter().map(|bytes| f32::from_ne_bytes(*bytes)));
        for block in input.chunks(request.block.max(1) as usize) {
            output.clear();
            output.resize(block.len(), f32::NAN);
            match library.simulate(&names[request.function.index()], &request.call, block, &mut output) {
                Answer::Done => answer(socket, DONE, "", &output)?,
                Answer::Unhandled(words) => answer(socket, UNHANDLED, &words, &output)?,
                Answer::Refused(words) => {
                    answer(socket, REFUSED, &words, &[])?;
                    break;
                }
            }
        }
    }
}

fn answer(mut socket: &UnixStream, kind: u32, words: &str, output: &[f32]) -> Result<()> {
    let mut bytes = Vec::with_capacity(ANSWER + words.len() + 4 * output.len());
    bytes.extend(kind.to_ne_bytes());
    bytes.extend((words.len() as u32).to_ne_bytes());
    bytes.extend(words.as_bytes());
    bytes.extend(output.iter().flat_map(|value| value.to_ne_bytes()));
    socket.write_all(&bytes)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_what_was_asked() {
        let call = Call { scale: 2.0, bias: -0.0, alpha: 0.25, use_pwp: true };
        let request = Request { function: Function::LnPrime, call, count: 7, block: 3 };
        let read = Request::from_bytes(&request.to_bytes()).unwrap();
        assert_eq!(read, request);
        assert_eq!(read.call.bias.to_bits(), call.bias.to_bits());
    }
}
