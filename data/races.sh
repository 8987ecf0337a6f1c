#!/usr/bin/env bash
# What a larger one-sided bearoff database adds to the training of races: race nets from td
# learn with the same settings, one from trials that end in the database of six points, one
# from trials that end in that of ten, and one, without trials, from the values that the
# latter has of those that it covers of ten times as many positions. Prints their error rates and
# the differences, at play with either database. See docs/sources.md.
#
#   data/races.sh DIR [N [SEED [POINTS]]]
#
# N starting positions (100000), POINTS of the larger database (10). Interrupted, the same
# command goes on; what is there is not made again.
set -euo pipefail
dir=${1:?usage: data/races.sh DIR [N [SEED [POINTS]]]}
n=${2:-100000}
seed=${3:-1}
large=${4:-10}
repository=$(cd "$(dirname "$0")/.." && pwd)
bgtrain=${BGTRAIN:-$repository/bgtrain}
bm=$repository/data/benchmarks/race.bm
mkdir -p "$dir"
cd "$dir"

# races NAME N: positions.
races() {
  [ -e "$1.parquet" ] || "$bgtrain" generate -n "$2" --share race=1 --select all,candidates --density 0.2 --net td \
    --seed "$seed" --exclude "$bm" -o "$1.parquet"
}

# learn NAME DB: the race net.
learn() {
  [ -e "$1.safetensors" ] || "$bgtrain" train "$2" --from td --nets race --epochs 8 --lr 0.005 --monitor last \
    --seed "$seed" --exclude "$bm" -o "$1.safetensors"
}

races races "$n"
for points in 6 $large; do
  "$bgtrain" rollout races.parquet -o "trials$points/" --follow --lambda 0.9 --net td --one-sided $points --seed "$seed"
  learn race$points trials$points
done
races more $((n * 10))
[ -e values.parquet ] || "$bgtrain" label more.parquet --ply 0 --net td --one-sided "$large" -o values.parquet
[ -e covered.parquet ] || "$bgtrain" export values.parquet --method one-sided -o covered.parquet
learn direct covered.parquet

for points in 6 $large; do
  echo "played with $points points:"
  for net in race$large direct; do
    "$bgtrain" score --net $net.safetensors --against race6.safetensors --one-sided $points "$bm"
  done
done
