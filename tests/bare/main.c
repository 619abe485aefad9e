/* Runs what the static library holds: name and energy after 100 steps of each mechanism. */
#include <stdio.h>

#define MODEL(name) double name##_energy(unsigned steps);
#include "models.h"
#undef MODEL
#define MODEL(name) printf(#name " %.17g\n", name##_energy(100));

/* Rust's prebuilt core names it on hosts that can unwind; here nobody unwinds. */
void rust_eh_personality(void) {}

int main(void) {
#include "models.h"
    return 0;
}
