//! The records and words of an image, bit by bit (`docs/figures.md`, on-device images).

use crate::memory::text;
use crate::profile::{Saturation, Section};

/// Bytes of a bucket record.
pub const RECORD: usize = 32;

/// Bytes of a control word with its padding on trainium.
pub const TRAINIUM_STRIDE: usize = 32;

/// Bytes of a control word with its padding on the older target, the one with the `with_ln` roster.
pub const WITH_LN_STRIDE: usize = 16;

/// The largest base a control word holds: 11 bits.
pub const MAX_BASE: u32 = (1 << 11) - 1;

/// The saturation records that end every function's block, in their order.
pub const SATURATION_ORDER: [Saturation; 4] =
    [Saturation::PosLow, Saturation::NegLow, Saturation::PosHigh, Saturation::NegHigh];

/// The record of a section: `d0 d1 d2 d3 x`, then zeros.
pub fn record(section: &Section) -> [u8; RECORD] {
    let [x, d0, d1, d2, d3] = section.bits();
    let mut bytes = [0; RECORD];
    for (field, value) in bytes.chunks_exact_mut(4).zip([d0, d1, d2, d3, x]) {
        field.copy_from_slice(&value.to_le_bytes());
    }
    bytes
}

/// The section of a record, or why it is none.
pub fn section(record: &[u8; RECORD]) -> Result<Section, String> {
    let word = |index: usize| u32::from_le_bytes(record[4 * index..][..4].try_into().expect("4 bytes"));
    if record[20..].iter().any(|&byte| byte != 0) {
        return Err(text!("bytes 20 to 31 are not all zero"));
    }
    Ok(Section::from_bits([word(4), word(0), word(1), word(2), word(3)]))
}

/// A control word: one octave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word {
    /// The index of the octave's first record in the image.
    pub base: u32,
    /// How many top mantissa bits pick the section; none for an octave without sections.
    pub extract_size: Option<u32>,
}

impl Word {
    /// The word's bits. `base` is at most [`MAX_BASE`], `extract_size` at most 23.
    pub fn bits(self) -> u32 {
        let fields = self.extract_size.map_or(0, |extract| extract << 16 | (23 - extract) << 11);
        self.base | fields
    }

    /// The word of these bits, or why there is none.
    pub fn from_bits(bits: u32) -> Result<Word, String> {
        let (base, shift, extract) = (bits & MAX_BASE, bits >> 11 & 31, bits >> 16 & 255);
        if bits >> 24 != 0 {
            return Err(text!("bits 24 to 31 of {bits:08x} are not zero"));
        }
        if (extract, shift) == (0, 0) {
            return Ok(Word { base, extract_size: None });
        }
        if extract > 23 {
            return Err(text!("extract size {extract} in {bits:08x} is over 23"));
        }
        if shift != 23 - extract {
            return Err(text!("shift {shift} in {bits:08x} is not 23 less the extract size {extract}"));
        }
        Ok(Word { base, extract_size: Some(extract) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_words_of_exp_have_their_bits() {
        let published = [
            (0x0000_b800, 0, 0),
            (0x0000_b801, 1, 0),
            (0x0001_b012, 18, 1),
            (0x0008_7910, 272, 8),
            (0x0000_b996, 406, 0),
            (0x0008_7aa6, 678, 8),
        ];
        for (bits, base, extract) in published {
            let word = Word { base, extract_size: Some(extract) };
            assert_eq!(word.bits(), bits);
            assert_eq!(Word::from_bits(bits), Ok(word));
        }
    }

    #[test]
    fn a_word_reads_back_or_is_refused() {
        let mut read = 0;
        for fields in 0..1u32 << 13 {
            for base in [0, 1, 1024, MAX_BASE] {
                let bits = fields << 11 | base;
                let Ok(word) = Word::from_bits(bits) else { continue };
                assert_eq!((word.base, word.bits()), (base, bits));
                read += 1;
            }
        }
        assert_eq!(read, 25 * 4); // 24 extract sizes and none, each with every base
        assert!(Word::from_bits(1 << 24).is_err());
    }

    #[test]
    fn a_record_ends_with_x_and_twelve_zeros() {
        let section = Section { x: 0.5, d0: 1.0, d1: 2.0, d2: 3.0, d3: f32::NAN };
        let mut bytes = record(&section);
        assert_eq!(&bytes[16..20], &0.5f32.to_le_bytes());
        assert_eq!(super::section(&bytes), Ok(section));
        bytes[31] = 1;
        assert!(super::section(&bytes).is_err());
    }
}
