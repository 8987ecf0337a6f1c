#!/usr/bin/env bash
# Measures a net by most of what docs/nets.md and docs/scoreboard.md say of one, in files of DIR, each by the command
# in its first line. Interrupted, the same command goes on; what is there is not made again.
#
#   data/measure.sh DIR NET [SCALE]                                                  SCALE: divides the games
#   GNUBG=/usr/lib/gnubg/gnubg.wd RIVAL=puretd.safetensors data/measure.sh DIR NET   points against these, too
#   FILES='theirs.bm games.parquet' data/measure.sh DIR NET                          and scores on these
set -euo pipefail
dir=${1:?usage: data/measure.sh DIR NET}
net=${2:?usage: data/measure.sh DIR NET}
scale=${3:-1}
data=$(cd "$(dirname "$0")" && pwd)
bgtrain=${BGTRAIN:-$data/../bgtrain}
mkdir -p "$dir"

# keep NAME ARGUMENTS: what bgtrain prints.
keep() {
  local file=$dir/$1.txt
  shift
  [ -e "$file" ] && return
  local line=("$bgtrain" "$@")
  { echo "${line[*]}" && "${line[@]}" 2>"$dir/errors"; } >"$file.part" || { cat "$dir/errors" >&2 && exit 1; }
  mv "$file.part" "$file"
}

less_luck=(--luck --luck-net fast --seed 1)
keep score0 score --net "$net" "$data"/benchmarks/{contact,crashed,race}.bm "$data"/themes/{themes,rare}.bm
keep score1 score --net "$net" --ply 1 "$data/themes/themes.bm"
for ply in 0 1 2; do
  for file in ${FILES-}; do
    keep "score$ply-$(basename "$file")" score --net "$net" --ply $ply "$file"
  done
done
keep themes score --net "$net" --breakdown --calibration "$data"/themes/{themes,rare}.bm
keep differ score --net "$net" "$data/themes/differ.parquet"
for rolls in 21 41 51; do
  keep first$rolls eval --net "$net" --dice $rolls 4HPwATDgc/ABMA
done
for rival in ${GNUBG-} ${RIVAL-}; do
  keep "match-$(basename "$rival")" match "$net" "$rival" --games $((10000 / scale)) "${less_luck[@]}"
done
[ -z "${GNUBG-}" ] || keep match2 match "$net:2" "$GNUBG:2" --games $((2000 / scale)) "${less_luck[@]}"
keep pubeval match "$net" pubeval --games $((10000 / scale))0 --seed 1
