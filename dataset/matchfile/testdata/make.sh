#!/usr/bin/env bash
# Makes gnubg.mat and gnubg.sgf: GNU Backgammon 1.07 plays a match of seven points
# against itself at 0-ply. Its random numbers come from the seed, so that the
# files are the same every time but for the date.
set -euo pipefail
cd "$(dirname "$0")"
PATH="$PATH:/usr/games"
gnubg -t -q >/dev/null <<END
set lang en
set rng mersenne
set seed 16
set automatic game on
set automatic roll on
set automatic bearoff off
set player 0 gnubg
set player 1 gnubg
set player 0 chequerplay evaluation plies 0
set player 1 chequerplay evaluation plies 0
set player 0 cubedecision evaluation plies 0
set player 1 cubedecision evaluation plies 0
set player 0 name Ännchen
set player 1 name bot:two
set analysis cubedecision evaluation plies 0
set analysis chequerplay evaluation plies 0
new match 7
save match gnubg.sgf
export match mat gnubg.mat
END
# The candidates that GNU Backgammon looked at are most of the file.
sed -i -E 's/A\[[0-9]+\](\[[^]]*\])*//g; s/DA\[[^]]*\]//g; s/GS(\[[^]]*\])+//g' gnubg.sgf
