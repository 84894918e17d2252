import Queries
import Testing
