// The self-test of the reference: published values and hand-computed cases. Exit status 0 when all hold.
#include "check.h"

int main()
{
    exact_tests();
    table_tests();
    loader_tests();
    std::printf("%d passed, %d failed\n", checks_passed, checks_failed);
    return checks_failed == 0 ? 0 : 1;
}
