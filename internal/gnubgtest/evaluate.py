# Runs inside GNU Backgammon: reads positions from the file IN, a line each of
# 25 numbers of checkers of the player not on roll and 25 of the player on roll
# (1-point to 24-point, bar), and writes class and five outputs to the file OUT.
import gnubg
import os

cube = gnubg.cubeinfo(1, -1, 0, 0, (0, 0), 0, 0)
cube["jacoby"] = 0
cube["beavers"] = 0
context = {"cubeful": 0, "plies": int(os.environ["PLY"]), "deterministic": 1,
           "prune": int(os.environ["PRUNE"]), "noise": 0.0}
classes = {0: "over", 8: "race", 9: "crashed", 10: "contact"}

with open(os.environ["IN"]) as source, open(os.environ["OUT"], "w") as out:
    for line in source:
        n = [int(x) for x in line.split()]
        board = (tuple(n[:25]), tuple(n[25:]))
        name = classes.get(gnubg.classifypos(board, 0), "bearoff")
        outputs = gnubg.evaluate(board, cube, context)[:5]
        out.write("%s %s\n" % (name, " ".join("%.9g" % x for x in outputs)))
