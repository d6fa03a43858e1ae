//! Large buffers on several threads: those of the caller's rayon pool, or those that callers without one share.
//!
//! The threads compute in the default floating-point environment. A caller that changed its own computes alone.

use rayon::prelude::*;

use super::{BLOCK, Numerics, Simulator, pool};
use crate::affine::Affine;
use crate::element::Element;
use crate::error::{Error, Result};
use crate::eval::Unhandled;
use crate::float::environment;
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
        self.apply_in_tasks(TASK, function, affine, input, output, numerics)
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
        self.apply_in_place_in_tasks(TASK, function, affine, data, numerics)
    }

    /// [`Simulator::apply`] on up to `threads` threads that the process shares, as many as the machine has cores; 0 is all
    /// of them. On the calling thread where threads cannot be had. A forked child has threads of its own.
    ///
    /// # Errors
    /// As [`Simulator::apply`].
    pub fn apply_on_threads(
        &self,
        threads: usize,
        function: Function,
        affine: &Affine,
        input: &[f32],
        output: &mut [f32],
        numerics: Numerics,
    ) -> Result<()> {
        match pool_for(threads, input.len()) {
            Some((pool, task)) => pool.install(|| self.apply_in_tasks(task, function, affine, input, output, numerics)),
            None => self.apply(function, affine, input, output, numerics),
        }
    }

    /// [`Simulator::apply_in_place`] on threads, as [`Simulator::apply_on_threads`].
    ///
    /// # Errors
    /// As [`Simulator::apply_in_place`].
    pub fn apply_in_place_on_threads(
        &self,
        threads: usize,
        function: Function,
        affine: &Affine,
        data: &mut [f32],
        numerics: Numerics,
    ) -> Result<()> {
        match pool_for(threads, data.len()) {
            Some((pool, task)) => pool.install(|| self.apply_in_place_in_tasks(task, function, affine, data, numerics)),
            None => self.apply_in_place(function, affine, data, numerics),
        }
    }

    /// [`Simulator::apply_typed`] on up to `threads` threads, as [`Simulator::apply_on_threads`].
    ///
    /// # Errors
    /// As [`Simulator::apply_typed`].
    pub fn apply_typed_on_threads<I: Element, O: Element>(
        &self,
        threads: usize,
        function: Function,
        affine: &Affine,
        input: &[I],
        output: &mut [O],
        numerics: Numerics,
    ) -> Result<()> {
        let apply = |input: &[I], output: &mut [O]| self.apply_typed(function, affine, input, output, numerics);
        match pool_for(threads, input.len()) {
            Some((pool, task)) => pool.install(|| in_tasks(task, function, input, output, apply)),
            None => apply(input, output),
        }
    }

    /// [`Simulator::apply_typed_in_place`] on threads, as [`Simulator::apply_on_threads`].
    ///
    /// # Errors
    /// As [`Simulator::apply_typed_in_place`].
    pub fn apply_typed_in_place_on_threads<E: Element>(
        &self,
        threads: usize,
        function: Function,
        affine: &Affine,
        data: &mut [E],
        numerics: Numerics,
    ) -> Result<()> {
        let apply = |data: &mut [E]| self.apply_typed_in_place(function, affine, data, numerics);
        match pool_for(threads, data.len()) {
            Some((pool, task)) => pool.install(|| in_place_in_tasks(task, function, data, apply)),
            None => apply(data),
        }
    }

    fn apply_in_tasks(
        &self,
        task: usize,
        function: Function,
        affine: &Affine,
        input: &[f32],
        output: &mut [f32],
        numerics: Numerics,
    ) -> Result<()> {
        in_tasks(task, function, input, output, |input, output| self.apply(function, affine, input, output, numerics))
    }

    fn apply_in_place_in_tasks(
        &self,
        task: usize,
        function: Function,
        affine: &Affine,
        data: &mut [f32],
        numerics: Numerics,
    ) -> Result<()> {
        in_place_in_tasks(task, function, data, |data| self.apply_in_place(function, affine, data, numerics))
    }
}

/// `apply` on the tasks of two slices, in the current pool.
fn in_tasks<I: Sync, O: Send>(
    task: usize,
    function: Function,
    input: &[I],
    output: &mut [O],
    apply: impl Fn(&[I], &mut [O]) -> Result<()> + Sync,
) -> Result<()> {
    if input.len() != output.len() || !environment::is_default() {
        return apply(input, output); // which refuses the former
    }
    let tasks = output.par_chunks_mut(task).zip(input.par_chunks(task)).enumerate();
    let results = tasks.map(|(index, (output, input))| located(apply(input, output), index * task));
    results.reduce(no_unhandled, in_order)?.result(function)
}

/// `apply` on the tasks of one slice, in the current pool.
fn in_place_in_tasks<E: Send>(
    task: usize,
    function: Function,
    data: &mut [E],
    apply: impl Fn(&mut [E]) -> Result<()> + Sync,
) -> Result<()> {
    if !environment::is_default() {
        return apply(data);
    }
    let tasks = data.par_chunks_mut(task).enumerate();
    let results = tasks.map(|(index, data)| located(apply(data), index * task));
    results.reduce(no_unhandled, in_order)?.result(function)
}

/// The shared pool, and the length of a task so that no more than `threads` of it compute; none where the calling thread
/// is to do it alone.
fn pool_for(threads: usize, len: usize) -> Option<(std::sync::Arc<rayon::ThreadPool>, usize)> {
    let task = if threads == 0 { TASK } else { TASK.max(len.div_ceil(threads)) };
    if len <= task || !environment::is_default() {
        return None;
    }
    pool::shared().map(|pool| (pool, task))
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
    fn any_number_of_threads_gives_the_bits_of_one() {
        let simulator = Simulator::open("builtin:").unwrap();
        let input = input(5 * TASK + 3);
        let mut one = vec![0.0; input.len()];
        simulator.apply(Function::Exp, &Affine::UNIT, &input, &mut one, Numerics::Table).unwrap();
        for threads in [0, 1, 2, 3, 5, 65536, usize::MAX] {
            let (mut many, mut place) = (vec![0.0; input.len()], input.clone());
            let apply = |many: &mut [f32]| {
                simulator.apply_on_threads(threads, Function::Exp, &Affine::UNIT, &input, many, Numerics::Table)
            };
            apply(&mut many).unwrap();
            simulator
                .apply_in_place_on_threads(threads, Function::Exp, &Affine::UNIT, &mut place, Numerics::Table)
                .unwrap();
            assert!(many == one && place == one, "{threads}");
        }
    }

    #[test]
    fn elements_of_other_types_have_the_bits_of_one_thread() {
        use crate::{Bf16, F16};

        let simulator = Simulator::open("builtin:").unwrap();
        let input: Vec<Bf16> = input(3 * TASK + 17).into_iter().map(Bf16::narrow).collect();
        let apply = |threads, out: &mut [F16]| {
            simulator.apply_typed_on_threads(threads, Function::Exp, &Affine::UNIT, &input, out, Numerics::Table)
        };
        let mut place = input.clone();
        let mut one = vec![F16(0); input.len()];
        simulator.apply_typed(Function::Exp, &Affine::UNIT, &input, &mut one, Numerics::Table).unwrap();
        simulator.apply_typed_in_place(Function::Exp, &Affine::UNIT, &mut place, Numerics::Table).unwrap();
        for threads in [0, 1, 2, 5] {
            let (mut many, mut data) = (vec![F16(0); input.len()], input.clone());
            apply(threads, &mut many).unwrap();
            simulator
                .apply_typed_in_place_on_threads(threads, Function::Exp, &Affine::UNIT, &mut data, Numerics::Table)
                .unwrap();
            assert!(many == one && data == place, "{threads}");
        }
        assert!(matches!(apply(0, &mut one[1..]), Err(Error::InvalidArgument(_))));
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn a_caller_in_another_environment_gets_what_that_gives() {
        let simulator = Simulator::open("builtin:").unwrap();
        let input = input(3 * TASK);
        let up = |compute: &dyn Fn(&mut [f32]) -> Result<()>| {
            let mut out = vec![0.0; input.len()];
            environment::with_mxcsr(0x5f80, || compute(&mut out)).unwrap();
            out
        };
        let one = up(&|out| simulator.apply(Function::Exp, &Affine::UNIT, &input, out, Numerics::Exact));
        let many = up(&|out| simulator.apply_on_threads(0, Function::Exp, &Affine::UNIT, &input, out, Numerics::Exact));
        let pool = up(&|out| simulator.apply_parallel(Function::Exp, &Affine::UNIT, &input, out, Numerics::Exact));
        assert!(one == many && one == pool);
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
