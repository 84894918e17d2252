import Store
import Testing
