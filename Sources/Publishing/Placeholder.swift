import Hashing
