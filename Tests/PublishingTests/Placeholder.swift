import Publishing
import Testing
