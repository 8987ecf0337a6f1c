#!/usr/bin/env bash
# What a larger one-sided bearoff database adds to the training of races: two race nets
# from td learn the same positions with the same settings, one from trials that end in the
# database of six points, one from trials that end in that of ten. Prints their error rates
# and the difference, at play with either database. See docs/sources.md.
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

[ -e races.parquet ] || "$bgtrain" generate -n "$n" --share race=1 --select all,candidates --density 0.2 --net td \
  --seed "$seed" --exclude "$bm" -o races.parquet
for points in 6 $large; do
  "$bgtrain" rollout races.parquet -o "trials$points/" --follow --lambda 0.9 --net td --one-sided $points --seed "$seed"
  [ -e race$points.safetensors ] || "$bgtrain" train "trials$points" --from td --nets race --epochs 8 --lr 0.005 \
    --monitor last --seed "$seed" --exclude "$bm" -o race$points.safetensors
done
for points in 6 $large; do
  echo "played with $points points:"
  "$bgtrain" score --net "race$large.safetensors" --against race6.safetensors --one-sided $points "$bm"
done
