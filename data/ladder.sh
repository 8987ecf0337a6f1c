#!/usr/bin/env bash
# Makes the players of the Computational Backgammon blog and of Jacob Hilton's program
# again, with their inputs, sizes, game counts and learning rates, and measures them:
# error rates on the benchmark files that ship, points per game against PubEval and
# against the player that each came from. Last come players with the blog's databases, and
# its controls. See docs/sources.md.
#
#   data/ladder.sh DIR [SCALE [MATCHGAMES]]
#   GNUBG=/usr/lib/gnubg/gnubg.wd data/ladder.sh DIR …   also plays GNU Backgammon's nets
#   FILES=/nets/contact.bm data/ladder.sh DIR …           scores on these, not on those that ship
#
# SCALE divides the numbers of training games and the steps of the rates (1: those of the
# sources); MATCHGAMES is that of the games of a match (40000). The blog's players up to
# 2.4 and all others are made side by side. Interrupted, the same command goes on; a player
# or result that is there is not made again.
set -euo pipefail
dir=${1:?usage: data/ladder.sh DIR [SCALE [MATCHGAMES]]}
scale=${2:-1}
games=${3:-40000}
bgtrain=${BGTRAIN:-$(cd "$(dirname "$0")/.." && pwd)/bgtrain}
mkdir -p "$dir"
cd "$dir"

scaled() { echo $((($1 + scale - 1) / scale)); } # 1 at least
k() { scaled $(($1 * 1000)); }                   # thousand games

# learn NAME FLAGS…: trains a player, unless it is there.
learn() {
  local name=$1
  shift
  [ -e "$name.safetensors" ] || "$bgtrain" td "$@" -o "$name.safetensors"
}

# measure NAME [NET]: its error rates, its points against PubEval and, where GNUBG names the
# weights file of GNU Backgammon, against its nets.
measure() {
  local net=${2:-$1.safetensors}
  [ -e "$1.score.json" ] || { "$bgtrain" score --net "$net" --json ${FILES:-} >"$1.score.tmp" && mv "$1.score.tmp" "$1.score.json"; }
  meet "$1" "$net" pubeval pubeval
  [ -z "${GNUBG:-}" ] || meet "$1" "$net" gnubg "$GNUBG" $((games / 4))
}

# meet NAME NET OPPONENT PLAYER [GAMES [FLAGS…]]: a match at 0-ply.
meet() {
  local out=$1-against-$3.match.json games=${5:-$games}
  [ -e "$out" ] || { "$bgtrain" match "$2" "$4" --games "$games" --seed 1 --json "${@:6}" >"$out.tmp" && mv "$out.tmp" "$out"; }
}

# against NAME OPPONENT [FLAGS…]: a match with another player of the ladder, or one with a name.
against() {
  meet "$1" "$1.safetensors" "${2%.safetensors}" "$2" "$games" "${@:3}"
}

fast=0.1@0,0.02@$(k 200)
slow=0.02@0,0.004@$(k 200)

players() {
  # Benchmark 1: one net, three outputs. Benchmark 2: five, from its weights.
  learn benchmark1 --phases 1 --outputs 3 --inputs tesauro --hidden 80 --init 0.1 --alpha "$fast" --games "$(k 450)"
  measure benchmark1
  learn benchmark2 --phases 1 --from benchmark1.safetensors --inputs blog-2 --init 0.1 --alpha "$fast" --games "$(k 450)"
  measure benchmark2
  against benchmark2 benchmark1.safetensors

  # Player 2: a contact and a race net; 2.1 to 2.4 add inputs.
  learn player2 --phases 2 --inputs blog-2 --hidden 80 --init 0.1 --alpha "$fast" --games "$(k 780)"
  measure player2
  against player2 benchmark1.safetensors
  learn player2.1 --phases 2 --from player2.safetensors --inputs blog-2.1 --init 0.1 --alpha "$slow" --games "$(k 460)"
  measure player2.1
  against player2.1 player2.safetensors
  for n in 2.2 2.4; do # the blog gives no counts for these: those of 2.1
    learn player$n --phases 2 --from player2.1.safetensors --inputs blog-$n --init 0.1 --alpha "$slow" --games "$(k 460)"
    measure player$n
    against player$n player2.1.safetensors
  done

  # Player 2.3, the longest.
  learn player2.3 --phases 2 --from player2.1.safetensors --inputs blog-2.3 --init 0.1 \
    --alpha "$slow,0.0008@$(k 1000)" --games "$(k 1500)"
  measure player2.3
  against player2.3 player2.1.safetensors
}

# Databases and games as the blog had them, which players() and others() have not: the benchmarks have
# no databases, and their sizes end where he saw no more progress, that of ten at the first rate.
databases() {
  local none="--one-sided none" h
  learn benchmark1.none $none --phases 1 --outputs 3 --inputs tesauro --hidden 80 --init 0.1 --alpha "$fast" --games "$(k 450)"
  against benchmark1.none pubeval $none
  learn benchmark2.none $none --phases 1 --from benchmark1.none.safetensors --inputs blog-2 --init 0.1 --alpha "$fast" --games "$(k 450)"
  against benchmark2.none benchmark1.none.safetensors $none
  learn hidden10.none $none --phases 1 --inputs blog-2 --hidden 10 --init 0.1 --alpha 0.1@0 --games "$(k 75)"
  learn hidden40.none $none --phases 1 --inputs blog-2 --hidden 40 --init 0.1 --alpha "$fast" --games "$(k 250)"
  learn hidden120.none $none --phases 1 --inputs blog-2 --hidden 120 --init 0.1 --alpha "$fast" --games "$(k 300)"
  for h in hidden10 hidden40 hidden120; do
    against $h.none benchmark2.none.safetensors $none
  done
  for h in benchmark2 hidden10 hidden40 hidden120; do
    against $h.none pubeval $none
  done
  for h in benchmark1 benchmark2; do
    against player2 $h.none.safetensors --one-sided 6,none
  done
}

# Player 2.4 with the blog's rates and games, its controls, and the players of five hidden units.
controls() {
  local end=0.02@0,0.004@$(k 100) n
  learn player2.4.long --phases 2 --from player2.1.safetensors --inputs blog-2.4 --init 0.1 --alpha "$end,0.0008@$(k 700)" --games "$(k 1100)"
  learn player2.4.scratch --phases 2 --inputs blog-2.4 --hidden 80 --init 0.1 --alpha "$fast" --games "$(k 1000)"
  learn player2.1.long --phases 2 --from player2.1.safetensors --alpha "$end" --games "$(k 420)"
  for n in player2.4.long player2.4.scratch player2.1.long; do
    measure $n
    against $n player2.1.safetensors
  done
  against player2.4.long player2.safetensors
  against player2.4.long benchmark2.safetensors
  # His race net was on plain Tesauro inputs, to which those of Player 2 come nearest.
  [ -e player2.4.races.safetensors ] || "$bgtrain" net join player2.4.long.safetensors --race player2.safetensors -o player2.4.races.safetensors
  against player2.4.races player2.1.safetensors
  for n in 2.3 2.4; do
    learn player${n}q --phases 2 --inputs blog-$n --hidden 5 --init 0.1 --alpha "0.1@0,0.02@$(k 100)" --games "$(k 300)"
    measure player${n}q
    # As filters of a look-ahead, beside the player's own first choice.
    filters player2 player${n}q
  done
}

# filters NAME SMALL: error rate and time of one ply with the blog's filter, its plays chosen by NAME and by SMALL.
filters() {
  local score=("$bgtrain" score --net "$1.safetensors" --ply 1 --filter 8/0.2 --workers 1 --equities=false --json ${FILES:-})
  [ -e "$1-by-itself.json" ] || { "${score[@]}" >"$1.tmp" && mv "$1.tmp" "$1-by-itself.json"; }
  [ -e "$1-by-$2.json" ] || { "${score[@]}" --filter-net "$2.safetensors" >"$1.tmp" && mv "$1.tmp" "$1-by-$2.json"; }
}

others() {
  # Hidden units, one output, symmetric weights: one net, as benchmark 2.
  for h in 10 40 80 120; do
    learn hidden$h --phases 1 --inputs blog-2 --hidden $h --init 0.1 --alpha "$fast" --games "$(k 450)"
    measure hidden$h
  done
  for h in 10 40 120; do against hidden$h hidden80.safetensors; done
  learn symmetric --phases 1 --symmetric --outputs 1 --inputs tesauro --hidden 80 --init 0.1 --alpha "$fast" --games "$(k 400)"
  measure symmetric
  learn winonly --phases 1 --outputs 1 --inputs tesauro --hidden 80 --init 0.1 --alpha "$fast" --games "$(k 450)"
  measure winonly
  against winonly symmetric.safetensors

  # Jacob Hilton's nets by TD: 1×40 on 198 inputs, 2×80 on 326, 5×400 rectified. The sizes
  # are his; the way of learning here is plain TD.
  learn hilton40 --phases 1 --outputs 1 --inputs hilton-198 --hidden 40 --alpha "$fast" --games "$(k 200)"
  measure hilton40
  learn hilton80 --phases 1 --outputs 1 --inputs hilton-326 --hidden 80,80 --alpha "$fast" --games "$(k 200)"
  measure hilton80

  # His way of learning: look-ahead as estimator, Adam on a memory; and the hybrid that
  # begins with pip counts.
  learn hilton-self --phases 1 --outputs 1 --inputs hilton-198 --hidden 40 --round 10 --replay 50000 --estimator net:1 --games "$(k 2)"
  measure hilton-self
  learn hilton-hybrid --phases 1 --outputs 1 --inputs hilton-198 --hidden 40 --round 10 --replay 50000 \
    --estimator "pipcount:1@0,net:1@$(scaled 500)" --games "$(k 2)"
  measure hilton-hybrid
  # Pip counts alone.
  learn hilton-pips --phases 1 --outputs 1 --inputs hilton-198 --hidden 40 --round 10 --replay 50000 --estimator pipcount:1 --games "$(k 2)" \
    --match-every 200 --match-against pipcount --match-games $((games / 40 + 2)) --window 5
  # Plain TD with as many games, and with as much time.
  for n in few:2 long:540; do
    learn hilton40-${n%:*} --phases 1 --outputs 1 --inputs hilton-198 --hidden 40 --alpha "$fast" --games "$(k ${n#*:})"
    measure hilton40-${n%:*}
  done
  against hilton-self hilton-hybrid.safetensors
  [ -z "${GNUBG:-}" ] || meet hilton-self-1ply hilton-self.safetensors:1 gnubg "$GNUBG" $((games / 20)) # one ply in play
  for n in hilton-self hilton-hybrid hilton-pips hilton40-few hilton40 hilton40-long hilton80; do
    meet $n $n.safetensors pipcount pipcount $((games / 8)) # which looks ahead
  done
}

# The players that ship, for comparison.
shipped() {
  for n in td gnubg-size gnubg-wide fast default; do measure $n $n; done
}

players &
first=$!
others &
second=$!
wait "$first"
wait "$second"
databases
controls
shipped
