package match

import (
	"encoding/base64"
	"fmt"
)

// matchDice returns the dice of GNU Backgammon's Match ID, 0 where they have not
// been rolled: 9 bytes in base64, filled from the lowest bit, of which bits 15 to
// 20 are the two dice.
func matchDice(id string) (dice [2]int, err error) {
	k, err := base64.StdEncoding.Strict().DecodeString(id)
	if err != nil || len(k) != 9 || len(id) != 12 {
		return dice, fmt.Errorf("match ID %q: 12 characters of base64 expected", clip(id))
	}
	bits := int(k[1])>>7 | int(k[2])<<1
	dice = [2]int{bits & 7, bits >> 3 & 7}
	if dice != [2]int{} {
		if err := checkDice(dice[0], dice[1]); err != nil {
			return dice, fmt.Errorf("match ID %q: %w", id, err)
		}
	}
	return dice, nil
}
