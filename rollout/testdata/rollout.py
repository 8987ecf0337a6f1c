# Runs inside GNU Backgammon: rolls the position KEY out as TRIALS, TRUNCATE, LEAF
# and SEED say, and writes the CPU seconds that took to the file OUT.
import gnubg
import os

var = os.environ
commands = [
    "set threads 1", "set automatic game off", "set jacoby off", "set output digits 5",
    "set rollout cubeful off", "set rollout varredn on", "set rollout quasirandom on",
    "set rollout chequerplay plies 0", "set rollout chequerplay cubeful off",
    # The value at truncation is this one, not that of "truncation chequerplay".
    "set rollout truncation cubedecision plies " + var["LEAF"],
    "set rollout truncation cubedecision cubeful off",
    "set rollout trials " + var["TRIALS"], "set rollout seed " + var["SEED"],
]
if var["TRUNCATE"] == "0":
    commands += ["set rollout truncation enable off"]
else:
    commands += ["set rollout truncation enable on", "set rollout truncation plies " + var["TRUNCATE"]]
for command in commands + ["new game", "set turn 1", "set board " + var["KEY"]]:
    gnubg.command(command)
before = os.times()
gnubg.command("rollout")
after = os.times()
with open(var["OUT"], "w") as out:
    out.write("%.2f" % (after[0] - before[0] + after[1] - before[1]))
