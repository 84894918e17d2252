"""The floor of any gzip reader: zlib's bare inflate of a file, in one thread, nothing kept."""
import sys
import time
import zlib

CHUNK = 1 << 20


def inflate(path):
    size, inflater = 0, zlib.decompressobj(31)
    with open(path, "rb") as file:
        while data := file.read(CHUNK):
            while data:
                size += len(inflater.decompress(data))
                data = inflater.unused_data
                if inflater.eof:
                    inflater = zlib.decompressobj(31)
    return size


if __name__ == "__main__":
    start = time.perf_counter()
    size = inflate(sys.argv[1])
    seconds = time.perf_counter() - start
    print(f"{size} bytes in {seconds:.3f} s, {size / seconds / 1e9:.2f} GB/s, zlib {zlib.ZLIB_RUNTIME_VERSION}")
