#!/usr/bin/env bash
# One round of training on contact positions where 0-ply and 2-ply choose other plays,
# beside one on as many ordinary positions: both labelled at 2-ply, both from td, with
# the same settings. Prints the error rates of both and of td, and the difference. See
# docs/sources.md.
#
#   data/disagree.sh DIR [N [SEED]]
#
# N positions of each kind (1000). Interrupted, the same command goes on; what is there is
# not made again.
set -euo pipefail
dir=${1:?usage: data/disagree.sh DIR [N [SEED]]}
n=${2:-1000}
seed=${3:-1}
repository=$(cd "$(dirname "$0")/.." && pwd)
bgtrain=${BGTRAIN:-$repository/bgtrain}
bm=$repository/data/benchmarks/contact.bm
mkdir -p "$dir"
cd "$dir"

# round NAME KIND FLAGS…
round() {
  local name=$1 kind=$2
  shift 2
  [ -e "$name.positions.parquet" ] || "$bgtrain" generate -n "$n" --select "$kind" --share contact=1 --net gnubg-size \
    --seed "$seed" --exclude "$bm" "$@" -o "$name.positions.parquet"
  [ -e "$name.parquet" ] || "$bgtrain" label "$name.positions.parquet" --ply 2 --net gnubg-size -o "$name.parquet"
  [ -e "$name.safetensors" ] || "$bgtrain" train "$name.parquet" --from td --nets contact --epochs 20 --lr 0.002 \
    --seed "$seed" -o "$name.safetensors"
}

round ordinary all
round disagree disagree --filter 2/0.04
"$bgtrain" score --net ordinary.safetensors --against td "$bm"
"$bgtrain" score --net disagree.safetensors --against td "$bm"
"$bgtrain" score --net disagree.safetensors --against ordinary.safetensors "$bm"
