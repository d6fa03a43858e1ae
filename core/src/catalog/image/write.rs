//! Tables to an image, or what an image cannot hold (`docs/figures.md`, on-device images).

use super::layout::{self, MAX_BASE, SATURATION_ORDER, TRAINIUM_STRIDE, WITH_LN_STRIDE, Word};
use super::manifest::{Block, ExponentMap, Manifest, NO_OCTAVE};
use super::{Image, Member};
use crate::error::{Error, Result};
use crate::profile::{Profile, Region, Saturation};

/// Writes the functions of the set `set`, in the order given. `stride` is [`TRAINIUM_STRIDE`] or [`WITH_LN_STRIDE`].
///
/// A table reads back as it was, but for absent octaves below or between the present ones of a side: an image counts
/// octaves from one first exponent, so these become octaves without sections, which are just as unhandled.
///
/// # Errors
/// [`Error::InvalidArgument`] that names the function and the reason: a base over 2047, a section list that is not
/// 2^extract_size long, a low saturation point with a mantissa, two functions of one name.
pub fn write(set: &str, members: &[Member], stride: usize) -> Result<Image> {
    if ![TRAINIUM_STRIDE, WITH_LN_STRIDE].contains(&stride) {
        return Err(Error::InvalidArgument(format!("a control stride of {stride}; an image has 32 or 16")));
    }
    if set.is_empty() || set.contains(['/', '\\', '\0']) {
        return Err(Error::InvalidArgument(format!("a set named {set:?}; the name is part of file names")));
    }
    let mut writer = Writer { stride, bkt: Vec::new(), ctrl: Vec::new() };
    let mut blocks: Vec<Block> = Vec::with_capacity(members.len());
    for member in members {
        let refused = |reason| Error::InvalidArgument(format!("an image cannot hold {}: {reason}", member.function));
        if member.function.is_empty() {
            return Err(refused("a function without a name".to_owned()));
        }
        if blocks.iter().any(|block| block.function == member.function) {
            return Err(refused("a second function of this name".to_owned()));
        }
        blocks.push(writer.member(member).map_err(refused)?);
    }
    let manifest = Manifest {
        bkt_bin: format!("{set}_bkt.bin"),
        bkt_count: writer.next_record(),
        ctl_bin: format!("{set}_ctrl.bin"),
        ctl_count: writer.next_word(),
        blocks,
    };
    Ok(Image { manifest: manifest.to_text(), bkt: writer.bkt, ctrl: writer.ctrl })
}

struct Writer {
    stride: usize,
    bkt: Vec<u8>,
    ctrl: Vec<u8>,
}

impl Writer {
    fn next_record(&self) -> u32 {
        (self.bkt.len() / layout::RECORD) as u32
    }

    fn next_word(&self) -> u32 {
        (self.ctrl.len() / self.stride) as u32
    }

    fn member(&mut self, member: &Member) -> std::result::Result<Block, String> {
        let profile = member.table.to_profile();
        let (bkt_start, ctl_start) = (self.next_record(), self.next_word());
        let firsts = [&profile.neg, &profile.pos].map(|side| side.first().map(|region| region.exponent));
        let exp_offset = firsts.into_iter().flatten().min().unwrap_or(NO_OCTAVE);
        let (mut exp_to_bkt, mut exp_to_ctl) = (ExponentMap::default(), ExponentMap::default());
        let mut bases = [0; 2];
        for (base, (name, side)) in bases.iter_mut().zip([("negative", &profile.neg), ("positive", &profile.pos)]) {
            *base = self.next_word();
            let mut exponent = exp_offset;
            for region in side {
                // Octaves the table does not have, up to the next it has.
                while exponent < region.exponent {
                    self.octave(&Region { exponent, ..Region::default() }, &mut exp_to_bkt, &mut exp_to_ctl)?;
                    exponent += 1;
                }
                self.octave(region, &mut exp_to_bkt, &mut exp_to_ctl)
                    .map_err(|reason| format!("{name} octave {exponent}: {reason}"))?;
                exponent += 1;
            }
        }
        // Where the positive side alone is stored, both bases are its. Where the negative one is, the positive base points
        // past it; so does the negative base where the fold leads to a negative side that has no octaves.
        let [mut base_neg, base_pos] = bases;
        let folds_to_neg = profile.symmetry.enabled && profile.symmetry.use_neg_region;
        if folds_to_neg && profile.neg.is_empty() && !profile.pos.is_empty() {
            base_neg = self.next_word();
        }
        let controls = self.saturation_points(&profile)?;
        Ok(Block {
            function: member.function.clone(),
            budget: member.budget,
            id: member.id,
            bkt_start,
            ctl_start,
            exp_to_bkt,
            exp_to_ctl,
            symmetry: profile.symmetry,
            specials: profile.specials,
            exp_offset,
            base_pos,
            base_neg,
            saturation_points: profile.saturation_points,
            controls,
        })
    }

    /// One octave: its control word and its sections.
    fn octave(
        &mut self,
        region: &Region,
        exp_to_bkt: &mut ExponentMap,
        exp_to_ctl: &mut ExponentMap,
    ) -> std::result::Result<(), String> {
        let Region { exponent, num_sections, extract_size, ref sections } = *region;
        let base = self.next_record();
        if base > MAX_BASE {
            return Err(format!("its first record is {base}, and a control word counts to {MAX_BASE}"));
        }
        let extract = match (num_sections, extract_size) {
            (0, 0) => None,
            (0, _) => return Err(format!("no sections, and an extract size of {extract_size}")),
            _ if num_sections == 1 << extract_size => Some(extract_size),
            _ => {
                let addressed = 1u32 << extract_size;
                return Err(format!("num_sections {num_sections}, and extract size {extract_size} means {addressed}"));
            }
        };
        let no_memory = |_| "out of memory".to_owned();
        exp_to_bkt.add(exponent, base).map_err(no_memory)?;
        exp_to_ctl.add(exponent, self.next_word()).map_err(no_memory)?;
        let word = Word { base, extract_size: extract };
        self.ctrl.extend(word.bits().to_le_bytes());
        self.ctrl.resize(self.ctrl.len() + self.stride - 4, 0);
        for section in sections {
            self.bkt.extend(layout::record(section));
        }
        Ok(())
    }

    /// The four saturation records, and the index of each.
    fn saturation_points(&mut self, profile: &Profile) -> std::result::Result<[u32; 4], String> {
        let mut controls = [0; 4];
        for saturation in SATURATION_ORDER {
            let point = &profile.saturation_points[saturation as usize];
            if matches!(saturation, Saturation::PosLow | Saturation::NegLow) && point.mantissa_point != 0 {
                let reason =
                    format!("{} has mantissa {}, and an image has none", saturation.key(), point.mantissa_point);
                return Err(reason);
            }
            controls[saturation as usize] = self.next_record();
            self.bkt.extend(layout::record(&point.section));
        }
        Ok(controls)
    }
}
