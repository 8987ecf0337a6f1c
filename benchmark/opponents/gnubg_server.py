# Runs inside GNU Backgammon and answers requests for plays and evaluations, one
# line each, read from file descriptor 3 and written to descriptor 4:
#   p o0 … o24 m0 … m24 d1 d2   the best play as from, to, from, to, …
#   e o0 … o24 m0 … m24         win wg wbg lg lbg of the player on roll
#   P o0 … m24 CUBE d1 d2       the best play, cubeful
#   C o0 … m24 CUBE             cubeful equities of no double, double and take,
#                               double and pass, normalized; then wg
# CUBE: value, owner (-1 both, 1 the player on roll, 0 the other), match length
# (0 money), scores of the other and of the player on roll, 1 for the Crawford game.
# o: checkers of the player not on roll, m: of the one on roll; index 24 the bar.
# In plays points count from 1, the bar is 25, off is 0; an empty line is no
# legal play. A line that begins with "!" says what went wrong. PLY in the
# environment is the number of plies. Ends when descriptor 3 does.
import gnubg
import os

plies = int(os.environ["PLY"])
gnubg.command("set threads 1")
cube = gnubg.cubeinfo(1, -1, 0, 0, (0, 0), 0, 0)
cube["jacoby"] = 0
cube["beavers"] = 0
context = {"cubeful": 0, "plies": plies, "deterministic": 1, "prune": 1, "noise": 0.0}
cubeful = dict(context, cubeful=1)


def at(n):
    c = gnubg.cubeinfo(n[0], n[1], 1, n[2], (n[3], n[4]), n[5], 0)
    c["jacoby"] = 0
    c["beavers"] = 0
    return c


def answer(field):
    n = [int(x) for x in field[1:]]
    board = (tuple(n[:25]), tuple(n[25:50]))
    if field[0] == "p":
        return " ".join(str(x) for x in gnubg.findbestmove(board, cube, context, (n[50], n[51])) or ())
    if field[0] == "P":
        return " ".join(str(x) for x in gnubg.findbestmove(board, at(n[50:56]), cubeful, (n[56], n[57])) or ())
    if field[0] == "C":
        c = at(n[50:56])
        wg = gnubg.evaluate(board, c, context)[1]
        return " ".join("%.9g" % x for x in gnubg.cfevaluate(board, c, cubeful)[1:4] + (wg,))
    return " ".join("%.9g" % x for x in gnubg.evaluate(board, cube, context)[:5])


def serve():
    requests = os.fdopen(3, "r")
    answers = os.fdopen(4, "w", buffering=1)
    answers.write("ready\n")
    for line in iter(requests.readline, ""):
        try:
            text = answer(line.split())
        except Exception as e:
            text = "! %s: %s" % (type(e).__name__, str(e).replace("\n", " "))
        answers.write(text + "\n")


serve()
