//! An image to tables: every relation between the three files is checked (`docs/figures.md`, on-device images).

use std::fmt::Display;
use std::path::Path;
use std::sync::Arc;

use super::layout::{self, RECORD, SATURATION_ORDER, TRAINIUM_STRIDE, WITH_LN_STRIDE, Word};
use super::manifest::{Block, ExponentMap, Indices, Manifest};
use super::{Member, Paths, View};
use crate::error::{Error, Result};
use crate::memory::{self, Watch, text};
use crate::profile::{Profile, Region, Section};
use crate::table::Table;

/// Reads the functions of an image, in the order of their blocks. `paths` is for messages.
///
/// An octave's section list is as long as its extract size addresses, 2^extract_size, and an octave without sections
/// has an empty one; what a list cut short by a saturation point does not store stays unstored.
///
/// # Errors
/// [`Error::ProfileFormat`] that names the file, the place in it and what is wrong there.
pub fn read<'i>(image: impl Into<View<'i>>, paths: &Paths) -> Result<Vec<Member>> {
    read_view(image.into(), paths)
}

fn read_view(image: View<'_>, paths: &Paths) -> Result<Vec<Member>> {
    let watch = Watch::new();
    let manifest = Manifest::parse(image.manifest, &paths.manifest)?;
    let files = Files {
        paths,
        records: records(image.bkt, manifest.bkt_count, &paths.bkt)?,
        words: words(image.ctrl, manifest.ctl_count, &paths.ctrl)?,
    };
    files.check_control_blocks(&manifest)?;
    let mut members = Vec::new();
    memory::reserve(&mut members, manifest.blocks.len())?;
    let mut next = 0;
    for (index, block) in manifest.blocks.iter().enumerate() {
        if block.bkt_start != next {
            let place = text!("func_to_bkt_start_idx.{}", block.function);
            return Err(format_error(&paths.manifest, place, text!("{}, expected {next}", block.bkt_start)));
        }
        next = manifest.blocks.get(index + 1).map_or(manifest.bkt_count, |following| following.bkt_start);
        if next < block.bkt_start.saturating_add(4) || next > manifest.bkt_count {
            let place = text!("func_to_bkt_start_idx.{}", block.function);
            let reason = text!("no room for four saturation records from {} to {next}", block.bkt_start);
            return Err(format_error(&paths.manifest, place, reason));
        }
        members.push(files.member(block, next)?);
        watch.check()?;
    }
    if next != manifest.bkt_count {
        let reason = text!("{}, and the functions have {next} records", manifest.bkt_count);
        return Err(format_error(&paths.manifest, "bkt_entry_cnt", reason));
    }
    Ok(members)
}

fn format_error(file: &Path, place: impl Display, reason: impl Display) -> Error {
    Error::format(file, format_args!("{place}"), format_args!("{reason}"))
}

/// The sections of `<set>_bkt.bin`.
fn records(bytes: &[u8], count: u32, file: &Path) -> Result<Vec<Section>> {
    if bytes.len() as u64 != u64::from(count) * RECORD as u64 {
        let reason = text!("{} bytes, and bkt_entry_cnt {count} means {}", bytes.len(), u64::from(count) * 32);
        return Err(format_error(file, "", reason));
    }
    let (records, _) = bytes.as_chunks::<RECORD>();
    let section =
        |(index, record)| layout::section(record).map_err(|reason| format_error(file, text!("record {index}"), reason));
    memory::try_collect(records.iter().enumerate().map(section))
}

/// The words of `<set>_ctrl.bin`. The stride is the file's size by the count of its words.
fn words(bytes: &[u8], count: u32, file: &Path) -> Result<Vec<Word>> {
    if count == 0 && bytes.is_empty() {
        return Ok(Vec::new());
    }
    let fits = |stride: &usize| bytes.len() as u64 == u64::from(count) * *stride as u64;
    let Some(stride) = [TRAINIUM_STRIDE, WITH_LN_STRIDE].into_iter().find(fits) else {
        let reason = text!("{} bytes are not ctl_entry_cnt {count} times a stride of 32 or 16", bytes.len());
        return Err(format_error(file, "", reason));
    };
    let word = |(index, padded): (usize, &[u8])| {
        let fail = |reason| format_error(file, text!("word {index}"), reason);
        if padded[4..].iter().any(|&byte| byte != 0) {
            return Err(fail("the padding is not all zero".to_owned()));
        }
        Word::from_bits(u32::from_le_bytes(padded[..4].try_into().expect("4 bytes"))).map_err(fail)
    };
    memory::try_collect(bytes.chunks_exact(stride).enumerate().map(word))
}

/// One side's octaves: its first control word and how many.
#[derive(Debug, Clone, Copy)]
struct Side {
    first: u32,
    count: u32,
}

/// The two binary files, read.
struct Files<'a> {
    paths: &'a Paths,
    records: Vec<Section>,
    words: Vec<Word>,
}

impl Files<'_> {
    /// The functions' control words follow one another and are all there is.
    fn check_control_blocks(&self, manifest: &Manifest) -> Result<()> {
        let blocks = manifest.blocks.iter();
        let mut blocks = memory::collect(
            blocks.map(|block| (block.ctl_start, block.exp_to_ctl.octaves(), block.function.as_str())),
        )?;
        blocks.sort_unstable();
        let mut next = 0;
        for (start, count, function) in blocks {
            if start != next {
                let place = text!("func_to_ctl_start_idx.{function}");
                return Err(format_error(&self.paths.manifest, place, text!("{start}, expected {next}")));
            }
            next += count; // at most 512 for each of 256 functions
        }
        if next != manifest.ctl_count {
            let reason = text!("{}, and the functions have {next} octaves", manifest.ctl_count);
            return Err(format_error(&self.paths.manifest, "ctl_entry_cnt", reason));
        }
        Ok(())
    }

    /// One function, whose block ends before record `end`.
    fn member(&self, block: &Block, end: u32) -> Result<Member> {
        let (neg, pos) = self.sides(block)?;
        self.check_maps(block, neg, pos)?;
        let body_end = end - 4;
        let mut first = block.bkt_start;
        let neg = self.regions(block, neg, &mut first, body_end, pos)?;
        let pos = self.regions(block, pos, &mut first, body_end, Side { first: 0, count: 0 })?;
        if first != body_end {
            let reason = text!("records {first} to {} belong to no octave", body_end - 1);
            return Err(format_error(&self.paths.bkt, &block.function, reason));
        }
        let mut saturation_points = block.saturation_points;
        for (index, saturation) in SATURATION_ORDER.into_iter().enumerate() {
            let record = body_end + index as u32;
            if block.controls[saturation as usize] != record {
                let reason =
                    text!("{} of {}, expected {record}", block.controls[saturation as usize], saturation.key());
                let place = text!("profile_meta_data.{}", block.function);
                return Err(format_error(&self.paths.manifest, place, reason));
            }
            saturation_points[saturation as usize].section = self.records[record as usize];
        }
        let profile = Profile { symmetry: block.symmetry, specials: block.specials, pos, neg, saturation_points };
        Ok(Member {
            function: memory::string(&block.function)?,
            budget: block.budget,
            id: block.id,
            table: Arc::new(Table::new(&profile)?),
        })
    }

    /// The two sides' control words. Where only one region is stored, it is that of the base that is the function's
    /// first word; where both bases are, that of the side the fold goes to.
    fn sides(&self, block: &Block) -> Result<(Side, Side)> {
        let start = block.ctl_start;
        let count = block.exp_to_ctl.octaves();
        let none = Side { first: start, count: 0 };
        let all = Side { first: start, count };
        let fail = |reason: String| {
            Err(format_error(&self.paths.manifest, text!("profile_meta_data.{}", block.function), reason))
        };
        if count == 0 {
            return Ok((none, none));
        }
        if block.exp_to_ctl.iter().any(|(_, indices)| indices.second.is_some()) {
            let negatives = block.base_pos.wrapping_sub(start);
            if block.base_neg != start || negatives == 0 || negatives >= count {
                let reason = text!(
                    "bases {} (negative) and {} (positive) do not split control words {start} to {}",
                    block.base_neg,
                    block.base_pos,
                    start + count - 1
                );
                return fail(reason);
            }
            let pos = Side { first: block.base_pos, count: count - negatives };
            return Ok((Side { first: start, count: negatives }, pos));
        }
        let folds_to_neg = block.symmetry.enabled && block.symmetry.use_neg_region;
        match (block.base_neg == start, block.base_pos == start) {
            (true, false) => Ok((all, none)),
            (true, true) if folds_to_neg => Ok((all, none)),
            (_, true) => Ok((none, all)),
            (false, false) => fail(text!("neither pwl_control_base is the first control word, {start}")),
        }
    }

    /// The maps from exponent to control word and to record say what the words say.
    fn check_maps(&self, block: &Block, neg: Side, pos: Side) -> Result<()> {
        let exponents = neg.count.max(pos.count) as i32;
        if exponents > 0 && !(-127..=129 - exponents).contains(&block.exp_offset) {
            let reason = text!("exp_offset {} with {exponents} octaves leaves -127 to 128", block.exp_offset);
            return Err(format_error(&self.paths.manifest, text!("profile_meta_data.{}", block.function), reason));
        }
        let (mut to_ctl, mut expected_bkt) = (ExponentMap::default(), ExponentMap::default());
        for side in [neg, pos] {
            for place in 0..side.count {
                let (exponent, index) = (block.exp_offset + place as i32, side.first + place);
                to_ctl.add(exponent, index)?;
                expected_bkt.add(exponent, self.words[index as usize].base)?;
            }
        }
        for (key, found, expected) in [
            ("func_exp_to_ctl_start_idx", &block.exp_to_ctl, &to_ctl),
            ("func_exp_to_bkt_start_idx", &block.exp_to_bkt, &expected_bkt),
        ] {
            for (exponent, _) in found.iter().chain(expected.iter()) {
                if found.get(exponent) != expected.get(exponent) {
                    let list = |indices: Option<Indices>| indices.map_or(text!("nothing"), |i| text!("{i}"));
                    let reason = text!("{}, expected {}", list(found.get(exponent)), list(expected.get(exponent)));
                    let place = text!("{key}.{}.{exponent}", block.function);
                    return Err(format_error(&self.paths.manifest, place, reason));
                }
            }
        }
        Ok(())
    }

    /// The octaves of one side. `first` is the record where the next octave must begin; the last octave ends where the
    /// `following` side begins, or at `body_end`.
    fn regions(
        &self,
        block: &Block,
        side: Side,
        first: &mut u32,
        body_end: u32,
        following: Side,
    ) -> Result<Vec<Region>> {
        let mut regions = Vec::new();
        memory::reserve(&mut regions, side.count as usize)?;
        for place in 0..side.count {
            let index = (side.first + place) as usize;
            let word = self.words[index];
            let fail = |reason: String| {
                Err(format_error(&self.paths.ctrl, text!("word {index} ({})", block.function), reason))
            };
            if word.base != *first {
                return fail(text!("base {}, expected {first}", word.base));
            }
            let end = if place + 1 < side.count {
                self.words[index + 1].base
            } else if following.count > 0 {
                self.words[following.first as usize].base
            } else {
                body_end
            };
            if end < word.base || end > body_end {
                return fail(text!("sections from {} to {end}, and the function's end at {body_end}", word.base));
            }
            let num_sections = word.extract_size.map_or(0, |extract| 1 << extract);
            if end - word.base > num_sections {
                return fail(text!("{} sections, and the octave has {num_sections}", end - word.base));
            }
            regions.push(Region {
                exponent: block.exp_offset + place as i32,
                num_sections,
                extract_size: word.extract_size.unwrap_or(0),
                sections: memory::slice(&self.records[word.base as usize..end as usize])?,
            });
            *first = end;
        }
        Ok(regions)
    }
}
