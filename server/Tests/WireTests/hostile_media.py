"""Files whose times, scales, sizes, counts, nesting and track tables are lies, made from small good ones: always the same
for the same number."""

import random
import struct
import subprocess
from pathlib import Path

# Boxes that hold others (ISO/IEC 14496-12).
CONTAINERS = {b"moov", b"trak", b"mdia", b"minf", b"stbl", b"edts", b"dinf", b"mvex", b"moof", b"traf"}
# Boxes whose words count, place, time or measure something.
TABLES = {
    b"mvhd", b"tkhd", b"mdhd", b"elst", b"stts", b"ctts", b"stsc", b"stsz", b"stco", b"co64", b"stss", b"mehd", b"trex",
    b"mfhd", b"tfhd", b"tfdt", b"trun", b"sidx", b"stsd", b"dref", b"hdlr",
}
WORDS = [0, 1, 2, 0x7F, 0xFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFE, 0xFFFF_FFFF, 4_000_000_000]
# Elements of Matroska that hold others (RFC 9559), and those that say a number.
MASTERS = {0x18538067, 0x1549A966, 0x1654AE6B, 0xAE, 0xE0, 0xE1, 0x1F43B675, 0xA0, 0x1C53BB6B, 0xBB, 0xB7, 0x114D9B74, 0x4DBB}
NUMBERS = {
    0x2AD7B1, 0x4489, 0xD7, 0x73C5, 0x83, 0xB0, 0xBA, 0x54B0, 0x54BA, 0x23E383, 0xE7, 0xB3, 0xF1, 0x53AC, 0x9F, 0xB5,
    0x6264, 0xF7, 0x9B, 0xFB, 0x56AA, 0x56BB, 0x42F2, 0x42F3, 0x7670,
}
KINDS = ["plain.mp4", "fragmented.mp4", "clip.mkv", "clip.webm", "clip.ts"]


def good(folder):
    """One small clip of each kind, by ffmpeg; their bytes."""
    for name in KINDS:
        codecs = ["-c:v", "libvpx", "-c:a", "libopus", "-deadline", "realtime"] if name.endswith("webm") else [
            "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac"]
        flags = ["-movflags", "frag_keyframe+empty_moov"] if name.startswith("fragmented") else []
        subprocess.run(
            ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc=size=64x96:rate=15:duration=1", "-f", "lavfi",
             "-i", "sine=duration=1", "-pix_fmt", "yuv420p", "-g", "5", *codecs, *flags, folder / name],
            check=True, timeout=60)
    return {name: (folder / name).read_bytes() for name in KINDS}


def boxes(data, start=0, end=None):
    """Every box's type and place, with what is in it behind its head."""
    end = len(data) if end is None else end
    while start + 8 <= end:
        size, kind = struct.unpack_from(">I4s", data, start)
        if size < 8 or start + size > end:
            return
        yield kind, start, start + size
        if kind in CONTAINERS:
            yield from boxes(data, start + 8, start + size)
        start += size


def elements(data, start, end):
    """Every element's id, and where its content begins and ends."""
    while start < end:
        length = 9 - data[start].bit_length()
        if length > 4 or start + length >= end:
            return
        kind = int.from_bytes(data[start:start + length], "big")
        start += length
        width = 9 - data[start].bit_length()
        if width > 8 or start + width > end:
            return
        size = int.from_bytes(data[start:start + width], "big") & ((1 << 7 * width) - 1)
        start += width
        stop = end if size == (1 << 7 * width) - 1 else min(end, start + size)
        yield kind, start, stop
        if kind in MASTERS:
            yield from elements(data, start, stop)
        start = stop


def broken_boxes(data, chance):
    data = bytearray(data)
    found = [one for one in boxes(data) if one[0] in TABLES]
    for _ in range(chance.choice([1, 1, 1, 2, 4])):
        _, start, end = chance.choice(found)
        if chance.random() < 0.1:
            struct.pack_into(">I", data, start, chance.choice(WORDS))
        elif end - start >= 16:
            place = chance.randrange(start + 8, end - 3, 4)
            struct.pack_into(">I", data, place, chance.choice(WORDS))
    return bytes(data)


def broken_elements(data, chance):
    data = bytearray(data)
    found = [one for one in elements(data, 0, len(data)) if one[0] in NUMBERS and one[2] > one[1]]
    for _ in range(chance.choice([1, 1, 2, 4])):
        _, start, end = chance.choice(found)
        width = end - start
        data[start:end] = chance.choice([
            b"\xff" * width, b"\x7f" + b"\xff" * (width - 1), b"\x80" + b"\0" * (width - 1), bytes(width),
            b"\x01".rjust(width, b"\0"), chance.randbytes(width)])
    return bytes(data)


def broken_packets(data, chance):
    """MPEG-TS: other bytes behind the heads of packets, where tables, clocks and time stamps are."""
    data = bytearray(data)
    for _ in range(chance.choice([1, 3, 20])):
        start = 188 * chance.randrange(len(data) // 188)
        place = start + chance.randrange(1, 32)
        data[place:place + 5] = chance.choice([b"\xff" * 5, bytes(5), chance.randbytes(5)])
    return bytes(data)


def element(kind, content, width=8):
    head = kind.to_bytes((kind.bit_length() + 7) // 8, "big")
    return head + ((1 << 7 * width) | len(content)).to_bytes(width, "big") + content


def endless_matroska():
    """A time that no 64 bits hold: clusters at 0, 1 and 2^62 of four seconds each."""
    def number(kind, value, width):
        return element(kind, value.to_bytes(width, "big"), 1)
    head = element(0x1A45DFA3, element(0x4282, b"matroska", 1), 1)
    info = element(0x1549A966, number(0x2AD7B1, 4_000_000_000, 4))
    video = element(0xE0, number(0xB0, 64, 2) + number(0xBA, 96, 2), 1)
    track = element(0xAE, number(0xD7, 1, 1) + number(0x73C5, 1, 1) + number(0x83, 1, 1) + element(0x86, b"V_VP8", 1) + video, 1)
    frame = b"\x10\x02\0\x9d\x01\x2a" + struct.pack("<HH", 64, 96) + bytes(40)
    clusters = b"".join(
        element(0x1F43B675, number(0xE7, time, 8) + element(0xA3, b"\x81\0\0\x80" + frame, 1))
        for time in (0, 1, 1 << 62))
    return head + element(0x18538067, info + element(0x1654AE6B, track) + clusters)


def nested_boxes():
    """Boxes in boxes in boxes: each says that it holds all the rest."""
    data = b""
    for _ in range(20_000):
        data = struct.pack(">I4s", len(data) + 8, b"moov") + data
    return struct.pack(">I4s", 16, b"ftyp") + b"isom\0\0\0\0" + data


def all_of(count, folder):
    """So many files, as pairs of a name and bytes."""
    originals = good(Path(folder))
    yield "endless.mkv", endless_matroska()
    yield "nested.mp4", nested_boxes()
    for number in range(count - 2):
        chance = random.Random(number)
        name = KINDS[number % len(KINDS)]
        change = broken_packets if name.endswith("ts") else broken_boxes if name.endswith("mp4") else broken_elements
        # A box that nobody reads, so that no two files are the same content.
        yield f"{number}-{name}", change(originals[name], chance) + b"\0\0\0\x0cfree" + struct.pack(">I", number)
