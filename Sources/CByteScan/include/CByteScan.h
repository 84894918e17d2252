// Structural scans over bytes, written in C for the processor's vector instructions.
//
// Nothing here allocates, keeps state of its own or reads past `to + 64`. The Swift side (`Sources/ExportBytes`) owns every
// buffer and states the invariants beside each call.
#pragma once

#include "CCSVScan.h"
#include "CMemory.h"
#include "CJSONScan.h"
