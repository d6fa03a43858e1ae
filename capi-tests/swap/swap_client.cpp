// The client of the swap test: compiled once, against the reference's header, and linked to the reference's library.
//
//     swap_client DIR         (DIR as write_profiles made it)
//
// stdout: what the library gave, the same to the byte for any correct library. stderr: the file that answered.
#include "answering.h"
#include "parts.h"

#include <cstdio>

#include <unistd.h>

int main(int argc, char **argv)
{
    if (argc != 2 || chdir(argv[1]) != 0) {
        std::fprintf(stderr, "usage: swap_client DIR\n");
        return 2;
    }
    say_which_library_answers();
    part_functions();
    part_buffers();
    part_objects();
    part_directories();
    part_errors();
    part_evaluator();
    part_threads();
    part_loading();
    std::printf("end\n");
    return 0;
}
