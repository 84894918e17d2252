#pragma once
#include "CJSONScan.h"
