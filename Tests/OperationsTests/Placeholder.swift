import Operations
import Testing
