// Started by launcher_test.cpp, from a folder with scripts instead of probe_sse2 and so on.
#include "simulator/launcher.hpp"

int main(int argc, char** argv) { return nbody::launch(argc, argv, "probe", PROBE_ARCHS); }
