// Writes lines of Ninja into the build log, which name a file of the host as a program to remove.
#pragma once

#pragma message( \
    "x\nFAILED: bin/part1/../../../../../../../../../../../../tmp/lab_victim \nld\nit does not link\n")
#error "attack_proof_log: forged"
