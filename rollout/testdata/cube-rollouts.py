# Runs inside GNU Backgammon: rolls the position and cube of the XGID in the environment out,
# without doubling now, TRIALS times to the end, plays and cube at 0-ply. It shows results on
# a terminal only, as script(1) gives it; the last "CF" and the error under it are the result.
# The CPU seconds that it took go to the file OUT.
import gnubg
import os

for command in [
    "set threads 1", "set automatic game off", "set automatic roll off", "set display off", "set output digits 5",
    "set rollout cubeful on", "set rollout varredn on", "set rollout quasirandom on",
    "set rollout chequerplay plies 0", "set rollout chequerplay cubeful on", "set rollout chequerplay prune off",
    "set rollout cubedecision plies 0", "set rollout cubedecision cubeful on", "set rollout cubedecision prune off",
    "set rollout truncation enable off", "set rollout bearofftruncation onesided off",
    "set rollout bearofftruncation exact on", "set rollout jsd stop off", "set rollout limit enable off",
    "set beavers 0", "set rollout seed 1", "set rollout trials " + os.environ["TRIALS"],
    "new session", "set xgid " + os.environ["XGID"],
]:
    gnubg.command(command)
before = os.times()
gnubg.command("rollout")
after = os.times()
with open(os.environ["OUT"], "w") as out:
    out.write("%.2f" % (after[0] - before[0] + after[1] - before[1]))
