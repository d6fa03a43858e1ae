//! JSON's grammar (RFC 8259), token by token, with a place for every mistake.
//!
//! A number is a run of characters here and an escape four digits: what they mean is asked by who reads the value, so
//! that what is not read can mean nothing. Three words are taken besides: NaN, Infinity and -Infinity.

use crate::memory::{self, NoMemory, text};

/// The deepest nesting of arrays and objects that is read.
pub const MAX_NESTING: usize = 64;

/// Text that is not JSON, or nests too deep, or no memory for it: the reading ends.
#[derive(Debug)]
pub struct Syntax {
    at: usize,
    what: &'static str,
}

/// What the reader gives, or the end of the reading.
pub type Read<T> = Result<T, Syntax>;

const NESTED: &str = "nested";
const NO_MEMORY: &str = "out of memory";

impl From<NoMemory> for Syntax {
    fn from(_: NoMemory) -> Syntax {
        Syntax { at: 0, what: NO_MEMORY }
    }
}

impl Syntax {
    /// Whether it was for want of memory.
    pub fn is_no_memory(&self) -> bool {
        self.what == NO_MEMORY
    }

    /// The reason, with the place in `text`.
    pub fn reason(&self, text: &str) -> String {
        if self.what == NESTED {
            return text!("nested more than {MAX_NESTING} deep at byte {}", self.at);
        }
        let before = &text.as_bytes()[start(text)..self.at];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        let column = 1 + before.iter().rev().take_while(|&&byte| byte != b'\n').count();
        let end = if self.at == text.len() { ", where the text ends" } else { "" };
        text!("not JSON: {} at line {line} column {column}{end}", self.what)
    }
}

/// Where the text begins, behind a byte order mark.
fn start(text: &str) -> usize {
    if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 }
}

/// The beginning of a value: a scalar is read, of an array or object the bracket.
#[derive(Debug, Clone, Copy)]
pub enum Token<'t> {
    Null,
    Bool(bool),
    /// As it stands in the text.
    Number(&'t str),
    /// NaN, Infinity or -Infinity.
    NotFinite(&'t str),
    String(Quoted<'t>),
    /// To be followed by [`Reader::items`] or [`Reader::skip`].
    Array,
    /// To be followed by [`Reader::members`] or [`Reader::skip`].
    Object,
}

impl Token<'_> {
    /// What the value is, for messages: a number as it stands, the kind of anything else.
    pub fn describe(&self) -> String {
        match self {
            Token::Null => text!("null"),
            Token::Bool(value) => text!("{value}"),
            Token::Number(text) if text.len() > 40 => text!("the number {}...", &text[..40]),
            Token::Number(text) => text!("the number {text}"),
            Token::NotFinite(text) => text!("{text}, which is not JSON"),
            Token::String(_) => text!("a string"),
            Token::Array => text!("an array"),
            Token::Object => text!("an object"),
        }
    }
}

/// A string as it stands between its quotes.
#[derive(Debug, Clone, Copy)]
pub struct Quoted<'t> {
    raw: &'t str,
    escaped: bool,
}

impl<'t> Quoted<'t> {
    /// Whether this is the string `text`, which has no escapes of its own to be written with.
    #[inline]
    pub fn is(&self, text: &str) -> bool {
        if self.escaped { self.is_escaped(text) } else { self.raw == text }
    }

    #[cold]
    fn is_escaped(&self, text: &str) -> bool {
        let mut rest = Some(text);
        let whole = self.parts(|part| {
            rest = rest.and_then(|rest| rest.strip_prefix(part));
            Ok::<(), NoMemory>(())
        });
        whole == Ok(true) && rest == Some("")
    }

    /// The text as it stands; none where it has escapes.
    pub fn raw(&self) -> Option<&'t str> {
        (!self.escaped).then_some(self.raw)
    }

    /// The text, its escapes read; none where one is half of a surrogate pair.
    pub fn text(&self) -> memory::Result<Option<String>> {
        let mut text = String::new();
        let whole = self.parts(|part| memory::append(&mut text, part))?;
        Ok(whole.then_some(text))
    }

    /// Gives `take` the text in parts. False where an escape is half of a surrogate pair.
    fn parts<E>(&self, mut take: impl FnMut(&str) -> Result<(), E>) -> Result<bool, E> {
        let mut rest = self.raw;
        while let Some(at) = rest.find('\\') {
            take(&rest[..at])?;
            let escape = rest.as_bytes()[at + 1];
            rest = &rest[at + 2..];
            let character = match escape {
                b'b' => Some('\u{8}'),
                b'f' => Some('\u{c}'),
                b'n' => Some('\n'),
                b'r' => Some('\r'),
                b't' => Some('\t'),
                b'u' => character(&mut rest),
                other => Some(char::from(other)), // a quote or a slash
            };
            let Some(character) = character else { return Ok(false) };
            take(character.encode_utf8(&mut [0; 4]))?;
        }
        take(rest)?;
        Ok(true)
    }
}

/// Takes the digits of an escape, and the other half of a surrogate pair.
fn character(rest: &mut &str) -> Option<char> {
    let mut unit = unit(rest)?;
    if let 0xd800..0xdc00 = unit {
        *rest = rest.strip_prefix("\\u")?;
        let low = self::unit(rest)?.checked_sub(0xdc00).filter(|&low| low < 0x400)?;
        unit = 0x1_0000 + ((unit - 0xd800) << 10 | low);
    }
    char::from_u32(unit)
}

/// Takes four hexadecimal digits.
fn unit(rest: &mut &str) -> Option<u32> {
    let (digits, after) = rest.split_at_checked(4)?;
    *rest = after;
    u32::from_str_radix(digits, 16).ok()
}

/// Reads a text from its beginning to its end.
#[derive(Debug)]
pub struct Reader<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

impl<'t> Reader<'t> {
    pub fn new(text: &'t str) -> Reader<'t> {
        Reader { text, at: start(text), depth: 0 }
    }

    /// Reads past a value.
    pub fn skip_value(&mut self) -> Read<()> {
        let token = self.token()?;
        self.skip(token)
    }

    /// Reads past what is left of a value after its token.
    pub fn skip(&mut self, token: Token) -> Read<()> {
        match token {
            Token::Array => self.items(Reader::skip_value),
            Token::Object => self.members(|reader, _| reader.skip_value()),
            _ => Ok(()),
        }
    }

    /// After [`Token::Array`]: `item` reads each item, whole.
    #[inline]
    pub fn items(&mut self, mut item: impl FnMut(&mut Self) -> Read<()>) -> Read<()> {
        if !self.take(b']') {
            loop {
                item(self)?;
                if self.take(b']') {
                    break;
                }
                if !self.take(b',') {
                    return self.fail("expected `,` or `]`");
                }
            }
        }
        self.depth -= 1;
        Ok(())
    }

    /// After [`Token::Object`]: `member` gets each key and reads its value, whole.
    #[inline]
    pub fn members(&mut self, mut member: impl FnMut(&mut Self, Quoted<'t>) -> Read<()>) -> Read<()> {
        if !self.take(b'}') {
            loop {
                if !self.take(b'"') {
                    return self.fail("expected a key in quotes");
                }
                let key = self.string()?;
                if !self.take(b':') {
                    return self.fail("expected `:`");
                }
                member(self, key)?;
                if self.take(b'}') {
                    break;
                }
                if !self.take(b',') {
                    return self.fail("expected `,` or `}`");
                }
            }
        }
        self.depth -= 1;
        Ok(())
    }

    /// After the value: nothing may follow.
    pub fn end(&mut self) -> Read<()> {
        match self.peek() {
            None => Ok(()),
            Some(_) => self.fail("expected the end"),
        }
    }

    /// The next token, where a value is due.
    #[inline]
    pub fn token(&mut self) -> Read<Token<'t>> {
        Ok(match self.peek() {
            Some(b'"') => {
                self.at += 1;
                Token::String(self.string()?)
            }
            Some(b'0'..=b'9' | b'-') => return self.number(),
            Some(b'{') => self.deeper(Token::Object)?,
            Some(b'[') => self.deeper(Token::Array)?,
            Some(b't') => self.word("true", Token::Bool(true))?,
            Some(b'f') => self.word("false", Token::Bool(false))?,
            Some(b'n') => self.word("null", Token::Null)?,
            Some(b'N') => self.word("NaN", Token::NotFinite("NaN"))?,
            Some(b'I') => self.word("Infinity", Token::NotFinite("Infinity"))?,
            _ => return self.fail("expected value"),
        })
    }

    fn deeper(&mut self, token: Token<'t>) -> Read<Token<'t>> {
        if self.depth == MAX_NESTING {
            return self.fail(NESTED);
        }
        self.depth += 1;
        self.at += 1;
        Ok(token)
    }

    fn word(&mut self, word: &str, token: Token<'t>) -> Read<Token<'t>> {
        if !self.rest().starts_with(word.as_bytes()) {
            return self.fail("expected value");
        }
        self.at += word.len();
        Ok(token)
    }

    fn number(&mut self) -> Read<Token<'t>> {
        let start = self.at;
        if self.rest()[0] == b'-' {
            self.at += 1;
        }
        match self.rest().first() {
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => self.digits(),
            Some(b'I') if self.at > start => return self.word("Infinity", Token::NotFinite("-Infinity")),
            _ => return self.fail("expected a digit"),
        }
        if self.rest().first() == Some(&b'.') {
            self.at += 1;
            self.some_digits()?;
        }
        if let Some(b'e' | b'E') = self.rest().first() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.rest().first() {
                self.at += 1;
            }
            self.some_digits()?;
        }
        Ok(Token::Number(&self.text[start..self.at]))
    }

    fn digits(&mut self) {
        self.at += self.rest().iter().take_while(|byte| byte.is_ascii_digit()).count();
    }

    fn some_digits(&mut self) -> Read<()> {
        let before = self.at;
        self.digits();
        if self.at == before { self.fail("expected a digit") } else { Ok(()) }
    }

    /// The string whose opening quote was taken.
    #[inline]
    fn string(&mut self) -> Read<Quoted<'t>> {
        let start = self.at;
        let mut escaped = false;
        loop {
            match self.rest().first() {
                Some(b'"') => break,
                Some(b'\\') => {
                    escaped = true;
                    self.escape()?;
                }
                Some(0..=0x1f) => return self.fail("a control character in a string"),
                Some(_) => self.at += 1,
                None => return self.fail("a string without an end"),
            }
        }
        self.at += 1;
        Ok(Quoted { raw: &self.text[start..self.at - 1], escaped })
    }

    fn escape(&mut self) -> Read<()> {
        let digits = match self.rest().get(1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 0,
            Some(b'u') => 4,
            _ => return self.fail("an escape that is none"),
        };
        let hex = self.rest()[2..].iter().take(digits).take_while(|byte| byte.is_ascii_hexdigit()).count();
        if hex < digits {
            return self.fail("an escape that is none");
        }
        self.at += 2 + digits;
        Ok(())
    }

    /// Takes `byte` if it is next, behind white space.
    #[inline]
    fn take(&mut self, byte: u8) -> bool {
        let next = self.peek() == Some(byte);
        self.at += usize::from(next);
        next
    }

    /// The next byte, behind white space.
    #[inline]
    fn peek(&mut self) -> Option<u8> {
        loop {
            match self.rest().first()? {
                b' ' | b'\n' | b'\r' | b'\t' => self.at += 1,
                &byte => return Some(byte),
            }
        }
    }

    #[inline]
    fn rest(&self) -> &'t [u8] {
        &self.text.as_bytes()[self.at..]
    }

    #[cold]
    fn fail<T>(&self, what: &'static str) -> Read<T> {
        Err(Syntax { at: self.at, what })
    }
}
