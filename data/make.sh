#!/usr/bin/env bash
# Makes again what ships in this folder, from random weights, by bgtrain's own
# commands only. It takes about four hours on two cores, can be stopped at any
# time and goes on where it was.
#   data/make.sh DIR [FILE.bm…]     works in DIR; no net learns from a position of
#                                   the benchmark files, if there are any
set -euo pipefail
dir=$(realpath -m "$1")
shift
files=
[ $# = 0 ] || files=$(realpath -- "$@" | paste -sd,)
mkdir -p "$dir"
cd "$(dirname "$0")/.."
go build -o "$dir/bgtrain" ./cmd/bgtrain
cd "$dir"
made() { [ -e "$1" ]; } # results appear whole or not at all
shares=contact=0.53,crashed=0.34,race=0.13
mix=contact:crashed=0.25,crashed:contact=0.25

# Starting weights.
made td.safetensors ||
  ./bgtrain td --overlap=false -o td.safetensors

# Positions of td's self-play for the rounds.
made wide.parquet ||
  ./bgtrain generate -n 600000 --share $shares --net td.safetensors --seed 7 -o wide.parquet
# Positions that no net learned from, to measure label noise and the like.
made aside.parquet ||
  ./bgtrain generate -n 168000 --share contact=0.45,crashed=0.4,race=0.15 --select all,candidates --density 0.2 \
    --net td.safetensors --seed 11 --exclude wide.parquet -o aside.parquet

# label NET POSITIONS DIR: one-ply labels by a player. A finished
# directory is not looked at again.
label() { made "$3.done" || { ./bgtrain label "$2" -o "$3/" --ply 1 --net "$1" && touch "$3.done"; }; }

# Four rounds: the newest player labels, the next one learns.
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

# A sixth, with benchmark files of its own, which served until the present ones.
for class in contact crashed race; do
  made old-$class.bm ||
    ./bgtrain makebm -n 250 --class $class --net round-4.safetensors --seed 21 --trials 216 --truncate 7 --target-se 0.005 \
      --exclude wide.parquet,wider.parquet,aside.parquet -o old-$class.bm
done
bm=old-contact.bm,old-crashed.bm,old-race.bm
made ship.parquet ||
  ./bgtrain generate -n 145000 --share contact=0.53,crashed=0.47 --select all,candidates --density 0.3 \
    --net round-5.safetensors --seed 11 --exclude $bm -o ship.parquet
label round-5.safetensors ship.parquet ship-6
made race.parquet ||
  ./bgtrain generate -n 25200 --share race=1 --select all,candidates --density 0.2 --net round-5.safetensors --seed 12 \
    --exclude $bm -o race.parquet
./bgtrain rollout race.parquet -o race-rolled/ --net round-5.safetensors --trials 36 --truncate 0 --seed 1
label round-5.safetensors wide.parquet wide-6
made round-6.safetensors ||
  ./bgtrain train wide-6 wider-5 ship-6 --from round-5.safetensors --nets contact,crashed --epochs 16 --mix $mix --seed 6 \
    -o round-6.safetensors
made race-6.safetensors ||
  ./bgtrain train wide-6 wider-5 race-rolled --from round-6.safetensors --nets race --epochs 60 --seed 6 -o race-6.safetensors
# With pruning nets, which pick plays in rollouts from now on.
made picks-6.safetensors ||
  ./bgtrain train wide-6 wider-5 ship-6 race-rolled --from race-6.safetensors --nets prune.contact,prune.crashed,prune.race \
    --epochs 8 --seed 9 -o picks-6.safetensors

# From here on the labels are followed trials, and no net learns from a position of
# a benchmark file.
held=$(IFS=,; echo "$bm${files:+,$files}")

# follow PLAYER ROUND [FLAG…]: positions of its games, and trials from there.
follow() {
  local player=$1 round=$2
  shift 2
  made g$round.parquet ||
    ./bgtrain generate -n 200000 --share contact=0.5,crashed=0.43,race=0.07 --select all,candidates --density 0.3 \
      --net $player --seed 1$round -o g$round.parquet
  ./bgtrain rollout g$round.parquet -o f$round/ --follow --lambda 0.9 --truncate 10 --net $player --chunk 2000 --seed $round "$@"
}
# races PLAYER ROUND N: races to the end.
races() {
  made gr$2.parquet ||
    ./bgtrain generate -n $3 --share race=1 --select all,candidates --density 0.3 --net $1 --seed 2$2 -o gr$2.parquet
  ./bgtrain rollout gr$2.parquet -o fr$2/ --follow --lambda 1 --truncate 0 --net $1 --chunk 2000 --seed $2
}
# learn ROUND PARENT SETTINGS… DBS…
learn() {
  local round=$1 parent=$2
  shift 2
  made r$round.safetensors || ./bgtrain train --from $parent --exclude "$held" --seed $round -o r$round.safetensors "$@"
}

made g7.parquet ||
  ./bgtrain generate -n 800000 --share contact=0.5,crashed=0.4,race=0.1 --select all,candidates --density 0.3 \
    --net picks-6.safetensors --seed 101 --exclude $bm -o g7.parquet
# A fourth of them is enough.
./bgtrain rollout g7.parquet -o f7/ --follow --lambda 0.9 --truncate 7 --net picks-6.safetensors --shard 0/4
learn 7 picks-6.safetensors --hidden 512 --epochs 8 --mix $mix f7/part-*.parquet
follow r7.safetensors 8; races r7.safetensors 8 60000
learn 8 r7.safetensors --epochs 8 --mix $mix f8 fr8 f7/part-*.parquet
follow r8.safetensors 9; races r8.safetensors 9 40000
learn 9 r8.safetensors --epochs 6 --mix crashed:contact=0.25 f8 f9 fr8 fr9
follow r9.safetensors 10
learn 10 r9.safetensors --nets contact,crashed --epochs 5 --mix crashed:contact=0.15 f8 f9 f10
# Two hidden layers, from random weights.
follow r10.safetensors 11
learn 11 r10.safetensors --random --hidden 512,32 --nets contact,crashed --epochs 8 f8 f9 f10 f11
for round in 12 13 14; do
  before=r$((round - 1)).safetensors
  follow $before $round
  learn $round $before --nets contact,crashed --epochs 5 --lr 0.006 f$((round - 3)) f$((round - 2)) f$((round - 1)) f$round
done
# Fewer plays valued at every roll: a fifth more variance, a third less time.
for round in 15 16; do
  before=r$((round - 1)).safetensors
  follow $before $round --picks 2
  epochs=5
  [ $round = 16 ] && epochs=8
  # The benchmark files that ship, by the player of round 14.
  for class in contact crashed; do
    made $class.bm ||
      ./bgtrain makebm -n 2000 --class $class --net r14.safetensors --seed 2026 --trials 36 --truncate 7 --target-se 0 \
        --candidate-ply 2 --prune --diversity 0.3 --exclude g7.parquet,$(ls f7/part-*.parquet | paste -sd,),f8,f9,f10,f11,f12,f13,f14 \
        -o $class.bm
  done
  made r$round.safetensors ||
    ./bgtrain train f$((round - 3)) f$((round - 2)) f$((round - 1)) f$round --from $before --nets contact,crashed --epochs $epochs \
      --lr 0.006 --exclude "$held,contact.bm,crashed.bm" --seed $round -o r$round.safetensors
done

# The race net, on inputs of our own, from random weights. First on what the rounds
# have of races, then on whole trials of the net itself.
learnrace() { # NAME SETTINGS… DBS…
  local name=$1
  shift
  made race-$name.safetensors || ./bgtrain train --nets race --monitor last --exclude "$held" -o race-$name.safetensors "$@"
}
learnrace a --from random --inputs bgtrain-race --hidden 128 --epochs 6 f11 fr8 fr9
learnrace b --from race-a.safetensors --hidden 256 --epochs 6 --lr 0.006 f13 f14 f11 fr8 fr9
learnrace c --from race-b.safetensors --epochs 16 --lr 0.008 f13 f14 f11 fr8 fr9
made p14.safetensors || ./bgtrain net join r14.safetensors --race race-c.safetensors -o p14.safetensors
races p14.safetensors 15 300000
learnrace 15 --from race-c.safetensors --epochs 10 --lr 0.006 --seed 15 fr15
made p15.safetensors || ./bgtrain net join r15.safetensors --race race-15.safetensors -o p15.safetensors
races p15.safetensors 16 300000
made race.bm ||
  ./bgtrain makebm -n 2000 --class race --net p15.safetensors --seed 2026 --trials 720 --truncate 0 --target-se 0.0008 --candidate-ply 2 \
    --prune --diversity 0.3 --exclude fr8,fr9,fr15,fr16,f11,f12,f13,f14,f15,g7.parquet -o race.bm
learnrace 16 --from race-15.safetensors --epochs 10 --lr 0.006 --seed 16 fr15 fr16

# Again, with the second version of bgtrain-race and two hidden layers: the newest player follows races, the
# next net learns. (What ships had the first version of the inputs up to here.)
held="$held,contact.bm,crashed.bm,race.bm"
made p16.safetensors || ./bgtrain net join r16.safetensors --race race-16.safetensors -o p16.safetensors
learnrace 16a --from random --inputs bgtrain-race --hidden 256,32 --epochs 12 --lr 0.008 --seed 1 fr15 fr16
learnrace 16b --from race-16a.safetensors --epochs 12 --lr 0.006 --seed 3 fr15 fr16
nextraces() { # ROUND NET N: races of the player of round 16 with that race net
  made p$1.safetensors || ./bgtrain net join p16.safetensors --race $2.safetensors -o p$1.safetensors
  races p$1.safetensors $1 $3
}
nextraces 17 race-16b 400000
learnrace 17 --from race-16b.safetensors --epochs 12 --lr 0.006 --seed 4 fr16 fr17
nextraces 18 race-17 400000
learnrace 18 --from race-17.safetensors --epochs 12 --lr 0.006 --seed 5 fr17 fr18
nextraces 19 race-18 500000
learnrace 19 --from race-18.safetensors --epochs 12 --lr 0.006 --seed 6 fr17 fr18 fr19
learnrace 19a --from race-19.safetensors --epochs 14 --lr 0.006 --decay 0 --seed 7 fr17 fr18 fr19
nextraces 20 race-19a 500000
learnrace 20 --from race-19a.safetensors --epochs 14 --lr 0.005 --decay 0 --seed 8 fr18 fr19 fr20

# A last time from the races that the rounds' trials came to out of contact, with late hits and stragglers.
made p21.safetensors || ./bgtrain net join p16.safetensors --race race-20.safetensors -o p21.safetensors
for round in 15 16; do
  made races$round.txt.gz || ./bgtrain export f$round -o races$round.txt.gz --class race
  made gr21-$round.parquet || ./bgtrain import races$round.txt.gz --skip-bad -o gr21-$round.parquet
done
made gr21.parquet || ./bgtrain merge gr21-15.parquet gr21-16.parquet --skip-bad -o gr21.parquet
races p21.safetensors 21
learnrace 21 --from race-20.safetensors --epochs 10 --lr 0.005 --decay 0 --seed 9 fr19 fr20 fr21

# Together, with pruning nets that learn from the labels of round 16.
made p22.safetensors || ./bgtrain net join p16.safetensors --race race-21.safetensors -o p22.safetensors
made fast.safetensors ||
  ./bgtrain train f15 f16 fr16 --from p22.safetensors --nets prune.contact,prune.crashed,prune.race --epochs 4 --seed 18 \
    --exclude "$held" -o fast.safetensors

# A wide player, whose labels come from longer trials where games are long. Round 17 is followed by fast,
# round 18 by the net that learned from it, with fast's crashed net, which was better. Half of the rows of the
# trials from back games are of other plans, where labels with less noise are to be had: only the others count.
apart="back game,containing"
mostly=contact=0.6,crashed=0.36,race=0.04
wideround() { # NUMBER PLAYER POSITIONS PLIES PICKS EXCLUDED: trials from frequent positions
  made g$1.parquet ||
    ./bgtrain generate -n $3 --share $mostly --select all,candidates --density 0.1 --without-plans "$apart" --net $2 \
      ${6:+--exclude $6} --seed 1$1 -o g$1.parquet
  ./bgtrain rollout g$1.parquet -o f$1/ --follow --lambda 0.9 --truncate $4 --net $2 --picks $5 --chunk 2000 --seed $1
}
backgames() { # NUMBER PLAYER POSITIONS PICKS: of rare ones, over 36 plies
  made b$1.parquet ||
    ./bgtrain generate -n $3 --share contact=0.9,crashed=0.1 --select all,candidates --density 0.1 --plans "$apart" \
      --diversity 0.9 --net $2 --seed 3$1 -o b$1.parquet
  ./bgtrain rollout b$1.parquet -o fb$1/ --follow --lambda 1 --truncate 36 --net $2 --picks $4 --chunk 1000 --seed 2$1
  made fb$1.txt.gz || ./bgtrain export fb$1 -o fb$1.txt.gz --plans "$apart"
  made wb$1.parquet || ./bgtrain import fb$1.txt.gz --skip-bad -o wb$1.parquet
}
wideround 17 fast.safetensors 450000 10 3
backgames 17 fast.safetensors 60000 3
made n17.safetensors ||
  ./bgtrain train f17 fb17 --from fast.safetensors --random --hidden 1024,64 --nets contact,crashed --epochs 7 \
    --exclude "$held" --seed 17 --monitor last -o n17.safetensors
made t18.safetensors || ./bgtrain net join n17.safetensors --crashed fast.safetensors -o t18.safetensors
made c18.parquet ||
  ./bgtrain generate -n 160000 --share crashed=1 --select all,candidates --density 0.1 --net t18.safetensors \
    --exclude g17.parquet --seed 418 -o c18.parquet
./bgtrain rollout c18.parquet -o fc18/ --follow --lambda 0.9 --truncate 10 --net t18.safetensors --picks 2 --chunk 2000 --seed 418
backgames 18 t18.safetensors 50000 2
wideround 18 t18.safetensors 600000 11 2 g17.parquet
made w18.safetensors ||
  ./bgtrain train f17 wb17.parquet fc18 wb18.parquet f18 --from t18.safetensors --hidden 1536,64 --nets contact,crashed \
    --epochs 5 --lr 0.008 --exclude "$held" --seed 18 --monitor last -o w18.safetensors

# Rounds 19 to 21: labels of less noise (λ = 0.8) from more positions, and for back games labels of their own, by a
# teacher that whole trials have freed from most of the bias. Positions are of fast's games, which is fast.
made t19.safetensors || ./bgtrain net join w18.safetensors --crashed fast.safetensors -o t19.safetensors
frequent() { # NUMBER PLAYER: trials from frequent positions; rows of rare plans are not kept
  ./bgtrain rollout g$1.parquet -o f$1/ --follow --lambda 0.8 --truncate 10 --net $2 --picks 2 --chunk 2000 --seed $1 \
    --without-plans "$apart"
}
rare() { # DIR PLAYER POSITIONS PLIES LAMBDA SEED
  ./bgtrain rollout $3 -o $1/ --follow --lambda $5 --truncate $4 --net $2 --picks 2 --chunk 1000 --seed $6 --plans "$apart"
}
made b19.parquet ||
  ./bgtrain generate -n 40000 --share contact=0.9,crashed=0.1 --select all,candidates --density 0.1 --plans "$apart" \
    --diversity 0.9 --net t19.safetensors --seed 319 -o b19.parquet
rare fb19 t19.safetensors b19.parquet 0 1 219
made g19.parquet ||
  ./bgtrain generate -n 300000 --share contact=0.6,crashed=0.36,race=0.04 --select all,candidates --density 0.1 \
    --without-plans "$apart" --net t19.safetensors --seed 119 -o g19.parquet
frequent 19 t19.safetensors
made t20.safetensors ||
  ./bgtrain train f19 fb19 --from t19.safetensors --nets contact --epochs 2 --lr 0.004 --batch 512 --exclude "$held" \
    --seed 19 --monitor last -o t20.safetensors
made b20.parquet ||
  ./bgtrain generate -n 125000 --share contact=0.92,crashed=0.08 --select all,candidates --density 0.2 --plans "$apart" \
    --diversity 0.9 --net fast.safetensors --exclude b19.parquet --seed 320 -o b20.parquet
rare fb20 t20.safetensors b20.parquet 10 0.9 220
made g20.parquet ||
  ./bgtrain generate -n 1200000 --share contact=0.62,crashed=0.34,race=0.04 --select all,candidates --density 0.2 \
    --without-plans "$apart" --net fast.safetensors --exclude g19.parquet --seed 120 -o g20.parquet
frequent 20 t19.safetensors
made w20.safetensors ||
  ./bgtrain train f19 f20 fb20 --from t19.safetensors --nets contact --epochs 4 --lr 0.006 --exclude "$held" \
    --seed 20 --monitor last -o w20.safetensors
made g21.parquet ||
  ./bgtrain generate -n 550000 --share contact=0.62,crashed=0.34,race=0.04 --select all,candidates --density 0.2 \
    --without-plans "$apart" --net fast.safetensors --exclude g19.parquet,g20.parquet --seed 121 -o g21.parquet
frequent 21 w20.safetensors
made b21.parquet ||
  ./bgtrain generate -n 50000 --share contact=0.92,crashed=0.08 --select all,candidates --density 0.2 --plans "$apart" \
    --diversity 0.9 --net fast.safetensors --exclude b19.parquet,b20.parquet --seed 321 -o b21.parquet
rare fb21 w20.safetensors b21.parquet 20 0.95 221
made wide-21.safetensors ||
  ./bgtrain train f20 f21 fb20 fb21 --from w20.safetensors --nets contact --epochs 4 --lr 0.005 --exclude "$held" \
    --seed 23 --monitor last -o wide-21.safetensors

# Rounds 22 and 23. Crashed: a deep net from random weights, of many positions; then, as containment was wrong in one
# direction, whole trials by fast from containing positions for a teacher, which labels them again by 20 plies.
made c22.parquet ||
  ./bgtrain generate -n 1000000 --share crashed=1 --select all,candidates --density 0.2 --net fast.safetensors --seed 422 -o c22.parquet
./bgtrain rollout c22.parquet -o fc22/ --follow --lambda 0.8 --truncate 10 --net wide-21.safetensors --picks 2 --chunk 2000 --seed 422
deep() { # NAME DBS SETTINGS…: of the nets from which --from goes on
  local name=$1 dbs=$2
  shift 2
  made $name.safetensors ||
    ./bgtrain train $dbs --beta2 0.999 --exclude "$held" --monitor last -o $name.safetensors "$@"
}
deep crashed-22 fc22 --from wide-21.safetensors --random --nets crashed --hidden 1024,256,64 --activation relu --epochs 5 \
  --lr 0.002 --seed 22
made k22.parquet ||
  ./bgtrain generate -n 150000 --share contact=0.25,crashed=0.75 --select all,candidates --density 0.2 --plans containing \
    --diversity 0.9 --net fast.safetensors --seed 522 -o k22.parquet
made c22l.parquet || ./bgtrain label c22.parquet -o c22l.parquet --ply 0 --net fast.safetensors --prune=false
made c22k.txt || ./bgtrain export c22l.parquet -o c22k.txt --plans containing
made c22k.parquet || ./bgtrain import c22k.txt -o c22k.parquet # those of c22 in which one side contains
whole() { # POSITIONS DIR SEED
  ./bgtrain rollout $1 -o $2/ --follow --lambda 1 --truncate 0 --net fast.safetensors --picks 2 --chunk 500 --seed $3 \
    --plans containing
}
whole k22.parquet fk22 522
whole c22k.parquet fck22 622
made fc22x.txt.gz || ./bgtrain export fc22 -o fc22x.txt.gz --without-plans "$apart"
made fc22x.parquet || ./bgtrain import fc22x.txt.gz --skip-bad -o fc22x.parquet
deep crashed-23t "fk22 fck22 fc22x.parquet" --from crashed-22.safetensors --nets crashed --epochs 1 --lr 0.0008 \
  --lr-end 0.02 --warmup 0.05 --batch 512 --ema 0.9995 --seed 23
made t23.safetensors || ./bgtrain net join wide-21.safetensors --crashed crashed-23t.safetensors -o t23.safetensors
./bgtrain rollout c22k.parquet -o fck23/ --follow --lambda 0.93 --truncate 20 --net t23.safetensors --picks 2 --chunk 500 \
  --seed 722 --plans containing # ended after 200,000 positions
deep crashed-23 "fck23 fc22x.parquet" --from crashed-23t.safetensors --nets crashed --epochs 2 --lr 0.001 \
  --lr-end 0.01 --warmup 0.05 --batch 512 --ema 0.9995 --seed 24
# Contact goes on from that of round 21.
made b22.parquet ||
  ./bgtrain generate -n 80000 --share contact=0.92,crashed=0.08 --select all,candidates --density 0.2 --plans "$apart" \
    --diversity 0.9 --net fast.safetensors --seed 322 -o b22.parquet
rare fb22 wide-21.safetensors b22.parquet 20 0.95 222
made g22.parquet ||
  ./bgtrain generate -n 2200000 --share contact=0.8,crashed=0.16,race=0.04 --select all,candidates --density 0.2 \
    --without-plans "$apart" --net fast.safetensors --seed 122 -o g22.parquet
./bgtrain rollout g22.parquet -o f22/ --follow --lambda 0.85 --truncate 10 --net wide-21.safetensors --picks 2 --chunk 2000 \
  --seed 22 --without-plans "$apart" # ended after 1.24 million positions
deep contact-23 "f22 fb22" --from wide-21.safetensors --nets contact --epochs 3 --lr 0.0015 --lr-end 0.01 --warmup 0.1 \
  --batch 512 --ema 0.9995 --seed 25
made player-23.safetensors ||
  ./bgtrain net join wide-21.safetensors --contact contact-23.safetensors --crashed crashed-23.safetensors -o player-23.safetensors

# Round 24: labels by that player, from new positions; its crashed net goes on. What ships was
# trained with themes.bm, which is made at the end of this script, in --exclude, too.
made g24.parquet ||
  ./bgtrain generate -n 3600000 --share contact=0.84,crashed=0.12,race=0.04 --select all,candidates --density 0.2 \
    --without-plans "$apart" --net fast.safetensors --seed 124 -o g24.parquet
./bgtrain rollout g24.parquet -o f24/ --follow --lambda 0.6 --truncate 6 --net player-23.safetensors --picks 2 --chunk 2000 \
  --seed 24 --without-plans "$apart" # ended after 1.04 million positions
./bgtrain rollout g24.parquet -o f25/ --follow --lambda 0.88 --truncate 10 --net player-23.safetensors --picks 2 --chunk 2000 \
  --seed 25 --without-plans "$apart" # ended after 0.81 million positions
made b24.parquet ||
  ./bgtrain generate -n 340000 --share contact=0.6,crashed=0.4 --select all,candidates --density 0.2 --plans "$apart" \
    --diversity 0.9 --net fast.safetensors --seed 324 -o b24.parquet
rare fb24 player-23.safetensors b24.parquet 12 0.85 224
deep crashed-24 "f24 f25 fb24 fc22x.parquet fck23" --from player-23.safetensors --nets crashed --epochs 3 --lr 0.0015 \
  --lr-end 0.01 --warmup 0.1 --batch 512 --ema 0.9995 --seed 26
made player-24.safetensors || ./bgtrain net join player-23.safetensors --crashed crashed-24.safetensors -o player-24.safetensors

# Rounds 25 to 27: a deep contact net from random weights, by bfloat16 in its last trainings, which takes a processor with
# AMX; from round 26 on with inputs of our own, and labels of little noise of positions that it comes to itself.
deep contact-22d "f22 fb22" --from wide-21.safetensors --random --nets contact --hidden 1024,256,64 --activation relu --epochs 6 \
  --lr 0.002 --batch 512 --seed 22
deep contact-24d "f24 f25 fb24 f22 fb22" --from contact-22d.safetensors --nets contact --epochs 4 --lr 0.002 \
  --lr-end 0.01 --warmup 0.1 --batch 512 --ema 0.9995 --seed 24
./bgtrain rollout g24.parquet -o f26/ --follow --lambda 0.75 --truncate 8 --net player-24.safetensors --picks 8 --chunk 1000 \
  --seed 26 --without-plans "$apart" # ended after 252,000 positions
deep contact-25 "f24 f25 f26 fb24 f22 fb22" --from contact-24d.safetensors --hidden 1280,320,64 --precision bf16 --nets contact \
  --epochs 8 --lr 0.002 --lr-end 0.005 --warmup 0.1 --batch 512 --ema 0.9997 --seed 25
made player-25.safetensors || ./bgtrain net join player-24.safetensors --contact contact-25.safetensors -o player-25.safetensors
made g28.parquet ||
  ./bgtrain generate -n 2000000 --share contact=0.9,crashed=0.1 --select all,candidates --density 0.15 --margin 0.12 \
    --diversity 0.15 --random-plays 2 --without-plans "$apart" --net player-25.safetensors --seed 227 --exclude "$held" \
    -o g28.parquet
./bgtrain rollout g28.parquet -o f28/ --follow --lambda 0.6 --truncate 6 --net player-25.safetensors --picks 8 --chunk 1000 \
  --seed 28 --without-plans "$apart" # ended after 1.8 million positions
deep contact-26 "f28 f26 f24 fb24 fb22" --from contact-25.safetensors --inputs bgtrain-contact --precision bf16 --nets contact \
  --epochs 8 --lr 0.0015 --lr-end 0.005 --warmup 0.1 --batch 512 --ema 0.9997 --seed 28
made player-26.safetensors || ./bgtrain net join player-24.safetensors --contact contact-26.safetensors -o player-26.safetensors
made g29.parquet ||
  ./bgtrain generate -n 900000 --share contact=1 --select all,candidates --density 0.15 --margin 0.1 --diversity 0.15 \
    --random-plays 2 --without-plans "$apart" --net player-26.safetensors --seed 327 --exclude "$held" -o g29.parquet
./bgtrain rollout g29.parquet -o f29/ --follow --lambda 0.7 --truncate 7 --net player-26.safetensors --picks 8 --chunk 1000 \
  --seed 29 --without-plans "$apart" # ended after 420,000 positions
deep contact-27 "f29 f28 f26 fb24 fb22" --from contact-26.safetensors --precision bf16 --nets contact --epochs 9 --lr 0.001 \
  --lr-end 0.005 --warmup 0.1 --batch 512 --ema 0.9997 --seed 29
deep crashed-25 "f28 f26 f24 fb24 fc22x.parquet fck23" --from player-24.safetensors --nets crashed --precision bf16 --epochs 4 \
  --lr 0.0012 --lr-end 0.005 --warmup 0.1 --batch 512 --ema 0.9997 --seed 30
made player-27.safetensors ||
  ./bgtrain net join player-24.safetensors --contact contact-27.safetensors --crashed crashed-25.safetensors -o player-27.safetensors

# Round 28: more labels of the same kind, by the player of round 27; a wider crashed net.
own() { # NAME N SHARES SETTINGS…: NAME.parquet, positions of the player of round 27
  local name=$1 n=$2 share=$3
  shift 3
  made $name.parquet ||
    ./bgtrain generate -n $n --share $share --select all,candidates --margin 0.1 --net player-27.safetensors \
      --exclude "$held" -o $name.parquet "$@"
}
own b30 220000 contact=0.6,crashed=0.4 --density 0.2 --plans "$apart" --diversity 0.5 --seed 430
own g30 2000000 contact=0.9,crashed=0.1 --density 0.15 --diversity 0.15 --random-plays 2 --without-plans "$apart" --seed 427
own b32 90000 crashed=1 --density 0.3 --diversity 0.9 --random-plays 6 --seed 432
./bgtrain rollout b30.parquet -o fb30/ --follow --lambda 0.8 --truncate 12 --net player-27.safetensors --picks 8 --chunk 1000 \
  --seed 31
./bgtrain rollout b32.parquet -o fb32/ --follow --lambda 0.8 --truncate 12 --net player-27.safetensors --picks 8 --chunk 1000 \
  --seed 32
./bgtrain rollout g30.parquet -o f30/ --follow --lambda 0.7 --truncate 7 --net player-27.safetensors --picks 8 --chunk 1000 \
  --seed 30 --without-plans "$apart"
deep contact-28 "f30 fb30 f29 f28 f26 fb24 fb22" --from contact-27.safetensors --precision bf16 --nets contact --epochs 8 --lr 0.0013 \
  --lr-end 0.005 --warmup 0.1 --batch 512 --ema 0.9997 --seed 30
deep crashed-26 "fb32 f30 fb30 f28 f26 f24 fb24 fc22x.parquet fck23" --from crashed-25.safetensors --hidden 1280,320,64 \
  --nets crashed --precision bf16 --epochs 3 --lr 0.0012 --lr-end 0.005 --warmup 0.1 --batch 512 --ema 0.9997 --seed 31
made player-28.safetensors ||
  ./bgtrain net join player-27.safetensors --contact contact-28.safetensors --crashed crashed-26.safetensors -o player-28.safetensors

# Round 29: the same labels but the noisiest ones, by Muon; hidden units that had become idle start anew, or are left out.
made trimmed-28.safetensors || ./bgtrain net trim player-28.safetensors fb30 fb24 f30 -o trimmed-28.safetensors
deep contact-28l "f30 fb30 f29 f28 f26 fb24 fb22" --from trimmed-28.safetensors --hidden 1152,288,64 --precision bf16 --nets contact \
  --epochs 8 --lr 0.0017 --lr-end 0.005 --warmup 0.1 --batch 512 --ema 0.9997 --seed 31
muon() { # NAME DBS SETTINGS…
  deep "$1" "$2" --precision bf16 --optimizer muon --momentum 0.95 --lr-end 0.005 --warmup 0.1 --batch 2048 --ema 0.9997 "${@:3}"
}
muon contact-29w "f30 fb30 f29 f28 f26" --from contact-28l.safetensors --revive --nets contact --epochs 12 --lr 0.001 --seed 34
made slim-29.safetensors ||
  ./bgtrain net trim contact-29w.safetensors f30 fb30 --rows 20000 --nets contact --hidden 1024,256,61 -o slim-29.safetensors
muon contact-29s "f30 fb30 f29 f28 f26" --from slim-29.safetensors --nets contact --epochs 3 --lr 0.0006 --seed 36
muon contact-29 "f30 fb30 f29 f28 f26" --from contact-29s.safetensors --nets contact --epochs 4 --lr 0.0008 --seed 38
made sorted-29.safetensors || ./bgtrain net trim contact-29.safetensors f30 fb30 --nets contact -o sorted-29.safetensors
made wide-29.safetensors || ./bgtrain net trim contact-29w.safetensors f30 fb30 --nets contact -o wide-29.safetensors

# Round 30: crashed positions of little noise, by Muon; new labels of contact; whole trials of ace-point games, which count
# twice. The labels' player has the wider contact net.
made lean-28.safetensors || ./bgtrain net trim player-28.safetensors fb32 fb30 f30 --nets crashed -o lean-28.safetensors
muon crashed-29 "fb32 f30 fb30 f29 f28 f26 f24 fc22x.parquet" --from lean-28.safetensors --hidden 1024,256,64 --nets crashed \
  --epochs 8 --lr 0.001 --seed 35
made player-29.safetensors ||
  ./bgtrain net join player-28.safetensors --contact wide-29.safetensors --crashed crashed-29.safetensors -o player-29.safetensors
crunched() { # NAME N SEED EXCLUDE: NAME.parquet, crashed positions of the player of round 29, and fNAME, their labels
  made $1.parquet ||
    ./bgtrain generate -n $2 --share crashed=1 --select all,candidates --density 0.2 --margin 0.1 --diversity 0.3 \
      --random-plays 3 --net player-29.safetensors --seed 5$3 --exclude "$4" -o $1.parquet
  ./bgtrain rollout $1.parquet -o f$1/ --follow --lambda 0.7 --truncate 7 --net player-29.safetensors --picks 8 --chunk 1000 \
    --seed $3
}
crunched k37 300000 37 "$held"
crunched k39 800000 39 "$held,k37.parquet"
muon crashed-30 "fk39 fk37 fb32 f30 fb30 f29 f28 f26 f24 fc22x.parquet" --from crashed-29.safetensors --revive --nets crashed \
  --epochs 6 --lr 0.001 --seed 39
made player-30.safetensors || ./bgtrain net join player-29.safetensors --crashed crashed-30.safetensors -o player-30.safetensors
made g40.parquet ||
  ./bgtrain generate -n 2000000 --share contact=0.9,crashed=0.1 --select all,candidates --density 0.15 --margin 0.1 \
    --diversity 0.15 --random-plays 2 --without-plans "$apart" --net player-28.safetensors --seed 433 --exclude "$held" -o g40.parquet
./bgtrain rollout g40.parquet -o f40/ --follow --lambda 0.7 --truncate 7 --net player-30.safetensors --picks 8 --chunk 1000 \
  --seed 40 # ended after 734,000 positions
made a41.parquet ||
  ./bgtrain generate -n 100000 --share contact=0.5,crashed=0.5 --select all,candidates --density 0.3 --margin 0.1 \
    --themes "ace-point game" --diversity 0.6 --net player-30.safetensors --seed 541 --exclude "$held" -o a41.parquet
./bgtrain rollout a41.parquet -o fa41/ --follow --lambda 1 --truncate 0 --net player-30.safetensors --picks 4 --chunk 500 \
  --seed 41 --themes "ace-point game"
muon contact-30 "fa41 fa41 f40 f30 fb30 f29 f28 f26" --from sorted-29.safetensors --nets contact --epochs 7 --lr 0.001 \
  --warmup 0.05 --seed 40
muon crashed-31 "fa41 fa41 fk39 fk37 f40 fb32 f30 fb30 f29 f28 f26 f24" --from crashed-30.safetensors --nets crashed \
  --epochs 4 --lr 0.0008 --seed 41
made sorted-30.safetensors || ./bgtrain net trim contact-30.safetensors f30 f40 fb30 --nets contact -o sorted-30.safetensors
made sorted-31.safetensors || ./bgtrain net trim crashed-31.safetensors fk39 --nets crashed -o sorted-31.safetensors
made default.safetensors ||
  ./bgtrain net join player-28.safetensors --contact sorted-30.safetensors --crashed sorted-31.safetensors -o default.safetensors

# The net for GNU Backgammon, of its size and on its inputs.
made small-1.safetensors ||
  ./bgtrain train f13 f14 f15 f16 fr15 fr16 --from td.safetensors --epochs 8 --seed 17 --exclude "$held" -o small-1.safetensors
made small-2.safetensors ||
  ./bgtrain train f13 f14 f15 f16 fr15 fr16 --from small-1.safetensors --epochs 12 --lr 0.006 --seed 19 --exclude "$held" \
    -o small-2.safetensors
# Races go on with GNU Backgammon's own sigmoid, without weight decay, and with the labels of the last rounds.
made small-3.safetensors || ./bgtrain net import small-2.safetensors --activation sigmoid-gnubg -o small-3.safetensors
learnsmall() { # NAME PARENT SETTINGS… DBS…
  local name=$1 parent=$2
  shift 2
  made small-$name.safetensors ||
    ./bgtrain train --from small-$parent.safetensors --nets race --monitor last --exclude "$held" -o small-$name.safetensors "$@"
}
learnsmall 4 3 --epochs 14 --lr 0.008 --seed 7 fr17 fr18 fr19
learnsmall 5 4 --epochs 16 --lr 0.006 --decay 0 --seed 7 fr17 fr18 fr19
learnsmall 6 5 --epochs 20 --lr 0.006 --decay 0 --seed 20 fr18 fr19 fr20
learnsmall 7 6 --epochs 24 --lr 0.005 --decay 0 --seed 21 fr18 fr19 fr20
made small-8.safetensors || ./bgtrain net join small-7.safetensors --prune fast.safetensors -o small-8.safetensors

# They go on with what the player of round 23 says, without noise, of the plays that such a player considers, and
# with its trials of six plies. A wider player on the same inputs learns the same, from small nets widened.
considered() { # NAME SHARES N SEED: lNAME.parquet
  made p$1.parquet ||
    ./bgtrain generate -n $3 --share $2 --select candidates --density 1 --diversity 0.1 --random-plays 1 \
      --net small-8.safetensors --exclude "$held" --seed $4 -o p$1.parquet
  made l$1.parquet || ./bgtrain label p$1.parquet -o l$1.parquet --ply 0 --net player-23.safetensors --prune=false
}
considered c contact=1 3200000 1001
considered r crashed=0.5,race=0.5 1600000 1002
goon() { # NAME ROLE PARENT DBS SETTINGS…
  local name=$1 role=$2 parent=$3 dbs=$4
  shift 4
  made $name.safetensors ||
    ./bgtrain train $dbs --from $parent.safetensors --nets $role --beta2 0.999 --decay 0 --ema 0.9995 --validation 0.01 \
      --warmup 0.1 --exclude "$held" --monitor last -o $name.safetensors "$@"
}
goon small-contact-1 contact small-8 lc.parquet --epochs 20 --lr 0.003 --seed 2
goon small-contact-2 contact small-contact-1 "lc.parquet f24/part-*.parquet fb22" --epochs 3 --lr 0.0015 --seed 7
goon small-crashed-1 crashed small-8 "lr.parquet f22/part-*.parquet fck23/part-*.parquet" --epochs 7 --lr 0.003 --seed 6
goon small-crashed-2 crashed small-crashed-1 "lr.parquet f24/part-*.parquet fck23/part-*[02468].parquet" --epochs 5 --lr 0.003 --seed 9
goon small-race race small-8 lr.parquet --epochs 30 --lr 0.004 --seed 5
made gnubg-size.safetensors ||
  ./bgtrain net join small-8.safetensors --contact small-contact-2.safetensors --crashed small-crashed-2.safetensors \
    --race small-race.safetensors -o gnubg-size.safetensors
goon broad-1 contact small-8 "f22/part-*.parquet fb22" --hidden 512 --epochs 2 --lr 0.004 --lr-end 0.3 --warmup 0.05 --seed 1
goon broad-2 contact broad-1 "lc.parquet f24/part-*.parquet fb22" --epochs 3 --lr 0.002 --seed 4
goon broad-3 contact broad-2 "lc.parquet f24/part-*[02468].parquet fb22" --epochs 4 --lr 0.0025 --seed 8
goon broad-crashed-1 crashed small-crashed-1 "lr.parquet f22/part-*.parquet fck23/part-*.parquet" --hidden 512 --epochs 3 --lr 0.003 \
  --seed 16
goon broad-crashed-2 crashed broad-crashed-1 "lr.parquet f24/part-*.parquet fck23/part-*[02468].parquet" --epochs 4 --lr 0.004 \
  --seed 10
goon broad-crashed-3 crashed broad-crashed-2 "lr.parquet f24/part-*.parquet $(seq -s " " -f fck23/part-%05g.parquet 8 8 404)" \
  --epochs 6 --lr 0.006 --seed 12
made gnubg-wide.safetensors ||
  ./bgtrain net join gnubg-size.safetensors --contact broad-3.safetensors --crashed broad-crashed-3.safetensors \
    -o gnubg-wide.safetensors

# The database that ships: contact, crashed and race positions rolled out, and more
# of each that fast labels.
made race2.parquet ||
  ./bgtrain generate -n 120000 --share race=1 --select all,candidates --density 0.2 --net race-6.safetensors --seed 14 \
    --exclude $bm,race.parquet -o race2.parquet
label race-6.safetensors race2.parquet race2-1
made contact.parquet ||
  ./bgtrain generate -n 30000 --share contact=2,crashed=1 --select all,candidates --density 0.2 --net picks-6.safetensors \
    --seed 15 --exclude $bm -o contact.parquet
./bgtrain rollout contact.parquet -o rolled/ --net picks-6.safetensors --trials 36 --truncate 5 --seed 1
made old.parquet || ./bgtrain merge rolled race-rolled ship-6 race2-1 -o old.parquet
label fast.safetensors old.parquet relabelled
made train.parquet || ./bgtrain merge relabelled old.parquet -o train.parquet

# Decisions by theme, over full games; none of the positions that the labels of rounds 22 and 23 began with. The same
# again with four times the trials: what is noise in the differences halves.
made themes-144.bm ||
  ./bgtrain makebm -n 1000 --themes "back game,ace-point game,containment,prime against prime,deep crashed board" \
    --candidates 4 --truncate 0 --trials 144 --target-se 0 --picks 2 --net fast.safetensors --diversity 0.75 --seed 2027 \
    --exclude fck22,fk22,fc22x.parquet,fb22,k22.parquet,c22.parquet,b22.parquet,contact.bm,crashed.bm,race.bm -o themes-144.bm
made themes.bm ||
  ./bgtrain makebm --from themes-144.bm --truncate 0 --trials 576 --target-se 0 --picks 2 --net fast.safetensors --seed 2028 \
    -o themes.bm
