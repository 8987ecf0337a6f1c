# Runs inside GNU Backgammon and answers requests for plays and evaluations, one
# line each, read from file descriptor 3 and written to descriptor 4:
#   p o0 … o24 m0 … m24 d1 d2   the best play as from, to, from, to, …
#   e o0 … o24 m0 … m24         win wg wbg lg lbg of the player on roll
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


def answer(field):
    n = [int(x) for x in field[1:]]
    board = (tuple(n[:25]), tuple(n[25:50]))
    if field[0] == "p":
        return " ".join(str(x) for x in gnubg.findbestmove(board, cube, context, (n[50], n[51])) or ())
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
