#include <malloc.h>  // malloc_trim(3), which Swift's Glibc does not import
