//! Calls whose inputs and outputs are not floats but [`Element`]s: widened, computed in float, rounded once
//! (`docs/behaviour.md`, section 5).

use super::{Numerics, Route, Simulator};
use crate::affine::Affine;
use crate::element::Element;
use crate::error::{Error, Result};
use crate::eval::Unhandled;
use crate::function::Function;

/// Elements that are widened, computed and narrowed at a time. The floats between stand on the stack.
pub const TYPED_BLOCK: usize = 512;

impl Simulator {
    /// [`Simulator::apply`] with elements of any two types: `f32`, [`F16`](crate::F16), [`Bf16`](crate::Bf16). Inputs are
    /// widened to float, which is exact; everything from the scaling on is computed in float, and each result is rounded to
    /// an `O` once, to nearest even whatever the rounding mode, beyond the largest number to an infinity.
    ///
    /// # Errors
    /// As [`Simulator::apply`].
    pub fn apply_typed<I: Element, O: Element>(
        &self,
        function: Function,
        affine: &Affine,
        input: &[I],
        output: &mut [O],
        numerics: Numerics,
    ) -> Result<()> {
        if input.len() != output.len() {
            let lengths = format!("{} inputs and {} outputs", input.len(), output.len());
            return Err(Error::InvalidArgument(lengths));
        }
        let route = Route::of(self, function, numerics)?;
        let mut floats = [0.0; TYPED_BLOCK];
        let mut unhandled = Unhandled::default();
        let blocks = input.chunks(TYPED_BLOCK).zip(output.chunks_mut(TYPED_BLOCK));
        for (index, (input, output)) in blocks.enumerate() {
            let floats = &mut floats[..input.len()];
            I::widen_block(self.tier, input, floats);
            unhandled.merge(route.evaluate_block(affine, floats), index * TYPED_BLOCK);
            O::narrow_block(self.tier, floats, output);
        }
        unhandled.result(function)
    }

    /// [`Simulator::apply_typed`] with the input and the output in one place.
    ///
    /// # Errors
    /// As [`Simulator::evaluate`].
    pub fn apply_typed_in_place<E: Element>(
        &self,
        function: Function,
        affine: &Affine,
        data: &mut [E],
        numerics: Numerics,
    ) -> Result<()> {
        let route = Route::of(self, function, numerics)?;
        let mut floats = [0.0; TYPED_BLOCK];
        let mut unhandled = Unhandled::default();
        for (index, data) in data.chunks_mut(TYPED_BLOCK).enumerate() {
            let floats = &mut floats[..data.len()];
            E::widen_block(self.tier, data, floats);
            unhandled.merge(route.evaluate_block(affine, floats), index * TYPED_BLOCK);
            E::narrow_block(self.tier, floats, data);
        }
        unhandled.result(function)
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use super::*;
    use crate::eval::Tier;
    use crate::table::Table;
    use crate::{Bf16, F16};

    const FUNCTIONS: [Function; 5] =
        [Function::Exp, Function::Gelu, Function::Sigmoid, Function::Rsqrt, Function::Identity];

    /// The float's result of each pattern, one at a time.
    fn due<I: Element>(simulator: &Simulator, function: Function, input: &[I], numerics: Numerics) -> Vec<f32> {
        let affine = Affine::new(0.5, 1.0);
        let one = |x: &I| simulator.evaluate(function, affine.scaled(x.widen()), 0.0, numerics).unwrap();
        input.iter().map(one).collect()
    }

    /// All patterns of `I` through every function on every tier.
    fn compare<I: Element, O: Element + PartialEq + Debug>(of: fn(u16) -> I) {
        let input: Vec<I> = (0..=u16::MAX).map(of).collect();
        let mut output = vec![O::default(); input.len()];
        for function in FUNCTIONS {
            for numerics in [Numerics::Table, Numerics::Exact] {
                let mut simulator = Simulator::open("builtin:").unwrap();
                let due = due(&simulator, function, &input, numerics);
                for tier in Tier::available() {
                    simulator = simulator.with_tier(tier);
                    simulator.apply_typed(function, &Affine::new(0.5, 1.0), &input, &mut output, numerics).unwrap();
                    for ((x, y), due) in input.iter().zip(&output).zip(&due) {
                        assert_eq!(*y, O::narrow(*due), "{function} at {:e} on {}", x.widen(), tier.name());
                    }
                }
            }
        }
    }

    #[test]
    fn all_inputs_of_binary16_give_the_float_s_result_rounded_once() {
        compare::<F16, F16>(F16);
        compare::<F16, Bf16>(F16);
    }

    #[test]
    fn all_inputs_of_bfloat16_give_the_float_s_result_rounded_once() {
        compare::<Bf16, F16>(Bf16);
        compare::<Bf16, Bf16>(Bf16);
    }

    #[test]
    fn floats_on_one_side_alone_are_as_they_are() {
        let simulator = Simulator::open("builtin:").unwrap();
        let input: Vec<Bf16> = (0..=u16::MAX).map(Bf16).collect();
        let mut output = vec![0.0f32; input.len()];
        let affine = Affine::new(0.5, 1.0);
        simulator.apply_typed(Function::Exp, &affine, &input, &mut output, Numerics::Table).unwrap();
        let bits = |floats: &[f32]| floats.iter().map(|y| y.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&output), bits(&due(&simulator, Function::Exp, &input, Numerics::Table)));

        let (wide, mut narrow) = (output, vec![F16(0); input.len()]);
        simulator.apply_typed(Function::Exp, &affine, &wide, &mut narrow, Numerics::Table).unwrap();
        let due = due(&simulator, Function::Exp, &wide, Numerics::Table);
        assert!(narrow.iter().zip(&due).all(|(y, due)| *y == F16::narrow(*due)));
    }

    #[test]
    fn in_place_gives_the_same() {
        let simulator = Simulator::open("builtin:").unwrap();
        let input: Vec<F16> = (0..=u16::MAX).map(F16).collect();
        let (mut apart, mut data) = (input.clone(), input.clone());
        simulator.apply_typed(Function::Gelu, &Affine::UNIT, &input, &mut apart, Numerics::Table).unwrap();
        simulator.apply_typed_in_place(Function::Gelu, &Affine::UNIT, &mut data, Numerics::Table).unwrap();
        assert!(data == apart && data != input);
    }

    #[test]
    fn unhandled_inputs_become_a_quiet_nan_and_are_counted_across_blocks() {
        let mut profile = Simulator::open("builtin:").unwrap().table(Function::Exp).unwrap().to_profile();
        profile.pos.retain(|region| region.exponent != 0);
        let simulator = Simulator::from_tables([(Function::Exp, Table::new(&profile).unwrap())]);
        let mut data = vec![Bf16(0x3f00); 3 * TYPED_BLOCK]; // 0.5
        data[TYPED_BLOCK + 7] = Bf16(0x3f80); // 1
        data[2 * TYPED_BLOCK] = Bf16(0x3fc0); // 1.5
        let result = simulator.apply_typed_in_place(Function::Exp, &Affine::UNIT, &mut data, Numerics::Table);
        assert_eq!(result, Err(Error::UnhandledSection { function: "Exp", count: 2, first: TYPED_BLOCK + 7 }));
        assert_eq!((data[TYPED_BLOCK + 7], data[2 * TYPED_BLOCK]), (Bf16(0x7fc0), Bf16(0x7fc0)));
        assert_eq!(data.iter().filter(|y| **y == Bf16(0x3fd3)).count(), 3 * TYPED_BLOCK - 2); // 1.6487
    }

    #[test]
    fn slices_of_different_lengths_are_refused() {
        let (simulator, mut output) = (Simulator::exact(), [F16(7); 1]);
        let result = simulator.apply_typed::<F16, _>(Function::Exp, &Affine::UNIT, &[], &mut output, Numerics::Exact);
        assert!(matches!(result, Err(Error::InvalidArgument(_))) && output == [F16(7)]);
    }
}
