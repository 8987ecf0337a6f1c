package cubestudy

import (
	"context"
	"testing"

	"bgtrain/internal/bearoff"
	"bgtrain/internal/cube"
)

func TestBearoffErrors(t *testing.T) {
	db, err := bearoff.BuildCubeful(context.Background(), 3)
	if err != nil {
		t.Fatal(err)
	}
	r := BearoffErrors(db, []cube.Model{model(t, "dead"), model(t, "live"), model(t, "janowski=0.6")})
	dead, live, between := &r[0], &r[1], &r[2]
	// A dead cube undervalues one's own, a live one overvalues it; the opponent's the
	// other way round.
	if dead.Mean[1] >= 0 || live.Mean[1] <= 0 || dead.Mean[2] <= 0 || live.Mean[2] >= 0 {
		t.Errorf("dead %+v, live %+v", dead, live)
	}
	if between.MeanAbs[1] >= max(dead.MeanAbs[1], live.MeanAbs[1]) || between.Pairs != 83*83 {
		t.Errorf("%+v", between)
	}
	for _, e := range r {
		if !(e.Double[0].Mean >= 0 && e.Double[0].Mean < 200 && e.Answer.Mean >= 0 && e.Answer.Mean < 200) {
			t.Errorf("%+v", e)
		}
	}
}
