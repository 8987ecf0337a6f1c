"use strict";
// Rollouts of a position or of chosen plays, as they grow.
(() => {
  const { element, format } = bgtrain;
  const { equity, percent, plain } = format;
  const error = (x) => ` ± ${x.toFixed(3)}`;

  // An interval of two standard errors to either side, on a scale that all rows share.
  function interval(mean, se, low, high) {
    const at = (x) => 2 + 96 * (x - low) / (high - low || 1);
    const e = element("span", { class: "interval", "aria-hidden": "true" });
    e.innerHTML = `<svg viewBox="0 0 100 12" preserveAspectRatio="none"><path d="M${at(mean - 2 * se)} 6H${at(mean + 2 * se)}"/>` +
      `<path class="mean" d="M${at(mean)} 1V11"/></svg>`;
    return e;
  }

  // What was rolled out, in the same form for positions, plays, and with the cube.
  function linesOf(rollout) {
    const stat = (x, se) => ({ mean: x, se });
    return rollout.flatMap((r) => {
      if (r.no_double) {
        return [["no double", r.no_double], ...(r.double_take ? [[r.beaver ? "double, beaver" : "double, take", r.double_take,
          r.double_take_less_no_double], ["double, pass", stat(r.double_pass, 0)]] : [])]
          .map(([name, s, gain]) => ({ name, ...s, less: gain && { ...gain, of: "no double" } }));
      }
      if (r.equity.mean !== undefined) return [{ name: r.play, ...r.equity, less: r.difference }];
      if (r.play) return [{ name: r.play, mean: r.equity, se: r.equity_se, less: stat(r.difference, r.difference_se),
        outputs: r.outputs }];
      return [{ name: "the position", mean: r.equity, se: r.equity_se, outputs: r.outputs, errors: r.se }];
    });
  }

  function draw(place, title, data) {
    const lines = linesOf(data.rollout);
    const ends = lines.flatMap((l) => [l.mean - 2 * l.se, l.mean + 2 * l.se]);
    const low = Math.min(...ends), high = Math.max(...ends), first = data.rollout[0];
    const rows = lines.map((l) => {
      const less = l.less && (l.less.mean !== 0 || l.less.se !== 0);
      return [element("tr", {}, element("th", { scope: "row" }, l.name), element("td", {}, equity(l.mean), element("span",
        { class: "se" }, l.se > 0 ? error(l.se) : "")), element("td", { class: "lost" }, less ? plain(l.less.mean) : "",
        element("span", { class: "se" }, less ? error(l.less.se) : "")), element("td", { class: "scale" },
        interval(l.mean, l.se, low, high))),
        l.outputs && element("tr", { class: "more" }, element("td", { colspan: 4 }, `${l.outputs.slice(0, 3).map(percent).join(" ")} – ` +
          [1 - l.outputs[0], l.outputs[3], l.outputs[4]].map(percent).join(" ")))];
    }).flat().filter(Boolean);
    const words = [];
    if (first?.action) words.push(first.action.replace("/", ", ").replaceAll("-", " "));
    if (first?.mwc) words.push(`${percent(first.mwc.mean)} % to win the match${error(100 * first.mwc.se)}`);
    const exact = first?.method === "exact bearoff";
    const state = exact ? "exact, from the bearoff database" : `${data.trials} of ${data.of} trials`;
    const bar = element("progress", { max: data.of, value: exact ? data.of : data.trials, "aria-label": title });
    place.replaceChildren(element("h3", {}, title, element("small", { role: "status" }, ` ${state}`)), bar,
      element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": title }, element("table",
        { class: "small rolled" }, element("thead", {}, element("tr", {}, ...["", "equity", "less the best", ""]
          .map((t, i) => element("th", { scope: "col" }, i === 2 && first?.no_double ? "less no double" : t)))),
        element("tbody", {}, ...rows))),
      ...(words.length ? [element("p", { class: "advice" }, element("b", {}, words.join(" · ")))] : []));
  }

  // Rolls out by one or several queries, one after the other; each is { title, query }. ended
  // is called with "" or with what is wrong. Returns what stops it.
  bgtrain.rollOut = (place, jobs, ended) => {
    let events = null;
    place.replaceChildren();
    const next = (i) => {
      if (i === jobs.length) { events = null; ended(""); return; }
      const here = element("div", { class: "rollout" }, element("p", {}, `${jobs[i].title}: waits for its turn …`));
      place.append(here);
      events = new EventSource(`/api/rollout?${jobs[i].query}`);
      const stop = (problem) => { events.close(); if (problem) { events = null; ended(problem); } else next(i + 1); };
      events.addEventListener("rollout", (e) => draw(here, jobs[i].title, JSON.parse(e.data)));
      events.addEventListener("problem", (e) => stop(e.data));
      events.addEventListener("done", () => stop(""));
      events.addEventListener("error", () => { if (events) stop("the rollout was refused, or the server does not answer"); });
    };
    next(0);
    return () => { if (events) { events.close(); events = null; } ended(""); };
  };
})();
