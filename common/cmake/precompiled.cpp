// A target with precompiled headers needs a file; the headers are in rooms.cmake.
