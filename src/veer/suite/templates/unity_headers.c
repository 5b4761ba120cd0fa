#include "unity.h"
