// Includes itself twice, 60 levels deep: the preprocessor needs some thousand years.
#if __INCLUDE_LEVEL__ < 60
#include __FILE__
#include __FILE__
#endif
