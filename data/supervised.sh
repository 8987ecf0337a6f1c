#!/usr/bin/env bash
# Trains nets on other programs' values of positions, as GNU Backgammon's training files
# have them: of several input sets from random weights and from td, and last the blog's
# Player 3, whose contact and crashed nets have the inputs of its last players and whose
# race net has inputs for the checkers off. Prints their error rates. See docs/sources.md.
#
#   data/supervised.sh DIR FILE…
#   EPOCHS=1 …                      passes over the positions (20; Player 3: 50)
#   FROM=player2.4.safetensors …    also Player 3 from a net of TD, as the blog had it
#
# FILE: what bgtrain import reads. Interrupted, the same command goes on; what is there is
# not made again.
set -euo pipefail
dir=${1:?usage: data/supervised.sh DIR FILE…}
shift
bgtrain=${BGTRAIN:-$(cd "$(dirname "$0")/.." && pwd)/bgtrain}
mkdir -p "$dir"
[ -e "$dir/gnubg.parquet" ] || "$bgtrain" import "$@" -o "$dir/gnubg.parquet"
from=${FROM:+$(realpath "$FROM")}
cd "$dir"

# learn NAME EPOCHS FLAGS…: trains nets, unless they are there.
learn() {
  local name=$1 epochs=${EPOCHS:-$2}
  shift 2
  [ -e "$name.safetensors" ] || "$bgtrain" train gnubg.parquet --epochs "$epochs" "$@" -o "$name.safetensors"
}

# player3 NAME FLAGS…: contact and crashed nets that the flags say, with a race net from random weights.
player3() {
  local name=$1
  shift
  learn "$name-contact" 50 --nets contact,crashed --inputs blog-3.5 "$@"
  learn player3-race 50 --nets race --from random --inputs gnubg --hidden 80
  [ -e "$name.safetensors" ] || "$bgtrain" net join "$name-contact.safetensors" --race player3-race.safetensors -o "$name.safetensors"
}

for set in tesauro hilton-326 blog-2.4 gnubg; do
  learn "$set" 20 --from random --inputs $set --hidden 128
done
learn td 20 --from td
player3 player3 --from random --hidden 80
player3 player3-wide --from random --hidden 128
[ -z "$from" ] || player3 player3-td --from "$from"
for net in *.safetensors; do
  case $net in *-contact.safetensors | *-race.safetensors) continue ;; esac
  "$bgtrain" score --net "$net"
done
