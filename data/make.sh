#!/usr/bin/env bash
# Makes again what ships in this folder, from random weights, by bgtrain's own
# commands only. It takes about two hours on two cores, can be stopped at any
# time and goes on where it was.
#   data/make.sh DIR     works in DIR
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p "$1"
go build -o "$1/bgtrain" ./cmd/bgtrain
cd "$1"
made() { [ -e "$1" ]; } # results appear whole or not at all
shares=contact=0.53,crashed=0.34,race=0.13
mix=contact:crashed=0.25,crashed:contact=0.25

# Starting weights.
made td.safetensors ||
  ./bgtrain td --games 2000000 --hidden 128 --alpha 0.2 --alpha-end 0.005 --seed 1 -o td.safetensors

# Positions of td's self-play for the rounds.
made wide.parquet ||
  ./bgtrain generate -n 600000 --share $shares --net td.safetensors --seed 7 -o wide.parquet
# Positions that no net learned from, to measure label noise and the like.
made aside.parquet ||
  ./bgtrain generate -n 168000 --share contact=0.45,crashed=0.4,race=0.15 --select all,candidates --density 0.2 \
    --net td.safetensors --seed 11 --exclude wide.parquet -o aside.parquet

# label NET POSITIONS DIR: one-ply labels by the player of the day. A finished
# directory is not looked at again.
label() { made "$3.done" || { ./bgtrain label "$2" -o "$3/" --ply 1 --net "$1" && touch "$3.done"; }; }

# Four rounds: the player of the day labels, the next one learns.
before=td.safetensors
for round in 1 2 3 4; do
  label $before wide.parquet wide-$round
  epochs=20
  [ $round = 1 ] && epochs=10
  made round-$round.safetensors ||
    ./bgtrain train wide-$round --from $before --hidden 256 --epochs $epochs --mix $mix --seed $round -o round-$round.safetensors
  before=round-$round.safetensors
done

# A fifth with a million more positions, of the better player's games.
made wider.parquet ||
  ./bgtrain generate -n 1000000 --share $shares --select all,candidates --density 0.3 --net round-4.safetensors --seed 8 \
    --exclude wide.parquet,aside.parquet -o wider.parquet
label round-4.safetensors wider.parquet wider-5
made round-5.safetensors ||
  ./bgtrain train wide-4 wider-5 --from round-4.safetensors --epochs 15 --mix $mix --seed 5 -o round-5.safetensors

# The benchmark files: decisions that no database knows.
for class in contact crashed race; do
  made $class.bm ||
    ./bgtrain makebm -n 250 --class $class --net round-4.safetensors --seed 21 --trials 216 --truncate 7 --target-se 0.005 \
      --exclude wide.parquet,wider.parquet,aside.parquet -o $class.bm
done
bm=contact.bm,crashed.bm,race.bm

# Contact and crashed positions for one-ply labels, races for full rollouts.
made ship.parquet ||
  ./bgtrain generate -n 145000 --share contact=0.53,crashed=0.47 --select all,candidates --density 0.3 \
    --net round-5.safetensors --seed 11 --exclude $bm -o ship.parquet
label round-5.safetensors ship.parquet ship-6
made race.parquet ||
  ./bgtrain generate -n 25200 --share race=1 --select all,candidates --density 0.2 --net round-5.safetensors --seed 12 \
    --exclude $bm -o race.parquet
./bgtrain rollout race.parquet -o race-rolled/ --net round-5.safetensors --trials 36 --truncate 0 --seed 1

# The best net, its pruning nets last.
label round-5.safetensors wide.parquet wide-6
made round-6.safetensors ||
  ./bgtrain train wide-6 wider-5 ship-6 --from round-5.safetensors --nets contact,crashed --epochs 16 --mix $mix --seed 6 \
    -o round-6.safetensors
made race-6.safetensors ||
  ./bgtrain train wide-6 wider-5 race-rolled --from round-6.safetensors --nets race --epochs 60 --seed 6 -o race-6.safetensors
made default.safetensors ||
  ./bgtrain train wide-6 wider-5 ship-6 race-rolled --from race-6.safetensors --nets prune.contact,prune.crashed,prune.race \
    --epochs 8 --seed 9 -o default.safetensors

# The database that ships: those, more races that the best net labels, and
# contact and crashed positions that it rolls out.
made race2.parquet ||
  ./bgtrain generate -n 120000 --share race=1 --select all,candidates --density 0.2 --net race-6.safetensors --seed 14 \
    --exclude $bm,race.parquet -o race2.parquet
label race-6.safetensors race2.parquet race2-1
made contact.parquet ||
  ./bgtrain generate -n 30000 --share contact=2,crashed=1 --select all,candidates --density 0.2 --net default.safetensors \
    --seed 15 --exclude $bm -o contact.parquet
./bgtrain rollout contact.parquet -o rolled/ --net default.safetensors --trials 36 --truncate 5 --seed 1
made train.parquet || ./bgtrain merge rolled race-rolled ship-6 race2-1 -o train.parquet
