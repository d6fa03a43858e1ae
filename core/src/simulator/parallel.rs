//! Large buffers on several threads, for callers without a pool of their own. Nothing else in the crate starts one for
//! a call.

use rayon::prelude::*;

use super::{BLOCK, Numerics, Simulator};
use crate::affine::Affine;
use crate::error::{Error, Result};
use crate::eval::Unhandled;
use crate::function::Function;

/// Elements of one task: many blocks, so that handing tasks out costs nothing beside them.
const TASK: usize = 32 * BLOCK;

impl Simulator {
    /// [`Simulator::apply`] on the threads of the current rayon pool. The same bits, and the same errors.
    ///
    /// # Errors
    /// As [`Simulator::apply`].
    pub fn apply_parallel(
        &self,
        function: Function,
        affine: &Affine,
        input: &[f32],
        output: &mut [f32],
        numerics: Numerics,
    ) -> Result<()> {
        if input.len() != output.len() {
            return self.apply(function, affine, input, output, numerics); // which refuses it
        }
        let tasks = output.par_chunks_mut(TASK).zip(input.par_chunks(TASK)).enumerate();
        let results = tasks
            .map(|(task, (output, input))| located(self.apply(function, affine, input, output, numerics), task * TASK));
        results.reduce(no_unhandled, in_order)?.result(function)
    }

    /// [`Simulator::apply_in_place`] on the threads of the current rayon pool.
    ///
    /// # Errors
    /// As [`Simulator::apply_in_place`].
    pub fn apply_in_place_parallel(
        &self,
        function: Function,
        affine: &Affine,
        data: &mut [f32],
        numerics: Numerics,
    ) -> Result<()> {
        let tasks = data.par_chunks_mut(TASK).enumerate();
        let results =
            tasks.map(|(task, data)| located(self.apply_in_place(function, affine, data, numerics), task * TASK));
        results.reduce(no_unhandled, in_order)?.result(function)
    }
}

/// The unhandled inputs of a task whose first element has index `offset`; any other error stays one.
fn located(result: Result<()>, offset: usize) -> Result<Unhandled> {
    match result {
        Ok(()) => Ok(Unhandled::default()),
        Err(Error::UnhandledSection { count, first, .. }) => Ok(Unhandled { count, first: offset + first }),
        Err(error) => Err(error),
    }
}

fn no_unhandled() -> Result<Unhandled> {
    Ok(Unhandled::default())
}

/// rayon reduces neighbours in order, so `earlier` precedes `later` in the buffer.
fn in_order(earlier: Result<Unhandled>, later: Result<Unhandled>) -> Result<Unhandled> {
    let mut unhandled = earlier?;
    unhandled.merge(later?, 0);
    Ok(unhandled)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(len: usize) -> Vec<f32> {
        (0..len).map(|index| (index as f32 * 0.618).sin() * 100.0).collect()
    }

    #[test]
    fn the_bits_are_those_of_one_thread() {
        let simulator = Simulator::open("builtin:").unwrap();
        let affine = Affine::new(0.75, 0.5);
        for len in [0, 1, TASK - 1, TASK, 3 * TASK + 17] {
            let input = input(len);
            for numerics in [Numerics::Exact, Numerics::Table] {
                let (mut one, mut many, mut place) = (vec![0.0; len], vec![0.0; len], input.clone());
                simulator.apply(Function::Exp, &affine, &input, &mut one, numerics).unwrap();
                simulator.apply_parallel(Function::Exp, &affine, &input, &mut many, numerics).unwrap();
                simulator.apply_in_place_parallel(Function::Exp, &affine, &mut place, numerics).unwrap();
                let bits = |data: &[f32]| data.iter().map(|y| y.to_bits()).collect::<Vec<_>>();
                assert_eq!(bits(&one), bits(&many));
                assert_eq!(bits(&one), bits(&place));
            }
        }
    }

    #[test]
    fn unhandled_inputs_of_several_tasks_add_up_and_the_first_is_the_buffer_s() {
        let found = |count, first| Ok(Unhandled { count, first });
        let all = in_order(in_order(no_unhandled(), found(2, 70)), in_order(found(1, 90), no_unhandled()));
        assert_eq!(all, found(3, 70));
        assert_eq!(located(Err(Error::UnhandledSection { function: "Exp", count: 2, first: 5 }), 100), found(2, 105));
    }

    #[test]
    fn an_error_of_every_task_is_the_call_s() {
        let simulator = Simulator::open("builtin:").unwrap();
        let mut data = input(2 * TASK);
        let error = simulator
            .apply_in_place_parallel(Function::LnPrime, &Affine::UNIT, &mut data, Numerics::Table)
            .unwrap_err();
        assert!(matches!(error, Error::NoProfile { .. }));
    }
}
