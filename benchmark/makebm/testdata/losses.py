# Runs inside GNU Backgammon: reads the benchmark file BM by itself, lets GNU
# Backgammon choose a play at 0-ply for every m record, and writes to the file OUT a
# line each: position, dice, the position it plays to, whether the record lists that,
# the loss that the record gives the play.
import gnubg
import os


def decode(key):
    """Checkers of both sides from 20 letters: two a byte, high half first, bits
    from the low end; a 1 is a checker, a 0 ends a point."""
    counts, points = [], 0
    for i in range(0, 20, 2):
        byte = (ord(key[i]) - 65) << 4 | (ord(key[i + 1]) - 65)
        for bit in range(8):
            if byte >> bit & 1:
                points += 1
            else:
                counts.append(points)
                points = 0
    return counts[:25], counts[25:50]


def encode(counts):
    bits = "".join("1" * n + "0" for n in counts).ljust(80, "0")
    halves = [int(bits[i:i + 4][::-1], 2) for i in range(0, 80, 4)]
    return "".join(chr(65 + halves[i ^ 1]) for i in range(20))


cube = gnubg.cubeinfo(1, -1, 0, 0, (0, 0), 0, 0)
cube["jacoby"] = 0
cube["beavers"] = 0
context = {"cubeful": 0, "plies": 0, "deterministic": 1, "prune": 0, "noise": 0.0}

with open(os.environ["BM"]) as source, open(os.environ["OUT"], "w") as out:
    for line in source:
        word = line.split()
        if not word or word[0] != "m":
            continue
        other, mover = decode(word[1])
        dice = int(word[2]), int(word[3])
        moves = gnubg.findbestmove((tuple(other), tuple(mover)), cube, context, dice)
        for start, end in zip(moves[::2], moves[1::2]):
            mover[start - 1] -= 1
            if end > 0:
                mover[end - 1] += 1
                other[24] += other[24 - end]
                other[24 - end] = 0
        # After the play the opponent is on roll: the mover's checkers come first.
        names = [word[4]] + word[6::2]
        losses = ["0"] + word[7::2]
        chosen, listed, loss = encode(mover + other), 0, losses[-1]
        for name, of in zip(names, losses):
            if decode(name) == (mover, other):
                chosen, listed, loss = name, 1, of
        out.write("%s %d %d %s %d %s\n" % (word[1], dice[0], dice[1], chosen, listed, loss))
