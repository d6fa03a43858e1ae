// Runs the checks of all sixteen spellings of simulate(): see spelling.cpp.
#include <cstdio>

#define DECLARE(n) int check_spelling_##n();
#define CHECK(n)                                                  \
    if (int const wrong = check_spelling_##n()) {                 \
        std::printf("FAILED: spelling %d, %d checks\n", n, wrong); \
        failures++;                                               \
    }
#define ALL(M) M(0) M(1) M(2) M(3) M(4) M(5) M(6) M(7) M(8) M(9) M(10) M(11) M(12) M(13) M(14) M(15)

ALL(DECLARE)

int main()
{
    int failures = 0;
    ALL(CHECK)
    return failures == 0 ? 0 : 1;
}
