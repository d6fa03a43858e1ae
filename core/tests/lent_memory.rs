//! In a process of its own: memory that is lent is short for every load that is under way in the process.

use pwp_sim_core::engine::memory::{NoMemory, Watch, lend};

#[test]
fn a_watch_tells_of_memory_that_was_lent_since() {
    let before = Watch::new();
    assert_eq!(before.check(), Ok(()));
    lend();
    assert_eq!(before.check(), Err(NoMemory));
    assert_eq!(Watch::new().check(), Ok(()));
}
