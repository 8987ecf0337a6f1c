// Keys go from decision to decision, decisions filter and sort, texts go to the
// clipboard. Without this script the page shows the same, all of it.
"use strict";
(() => {
  const cards = [...document.querySelectorAll(".decision")];
  const bar = document.getElementById("bar");
  const list = document.getElementById("cards");
  const shown = () => [...document.querySelectorAll(".decision:not([hidden])")];
  const show = (card) => {
    for (const c of cards) c.classList.toggle("current", c === card);
    card.focus({ preventScroll: true });
    card.scrollIntoView({ block: "nearest", behavior: "instant" }); // what follows looks where it is
    const top = card.getBoundingClientRect().top;
    const covered = bar && getComputedStyle(bar).position === "sticky" ? bar.offsetHeight + 6 : 6;
    if (top < covered) scrollBy({ top: top - covered, behavior: "instant" });
    say();
  };
  const step = (by) => {
    const all = shown();
    if (!all.length) return;
    const at = all.findIndex((c) => c.classList.contains("current"));
    show(all[at < 0 ? (by > 0 ? 0 : all.length - 1) : Math.min(all.length - 1, Math.max(0, at + by))]);
  };
  const say = () => {
    const all = shown();
    const at = all.findIndex((c) => c.classList.contains("current"));
    document.getElementById("shown").textContent = (at >= 0 ? at + 1 + " of " : "") + all.length + " shown";
  };
  if (bar) {
    bar.hidden = false;
    const filter = () => {
      const wanted = Object.fromEntries(new FormData(bar));
      const least = parseFloat(wanted.loss) || 0;
      for (const card of cards) {
        card.hidden = (wanted.who && card.dataset.who !== wanted.who) ||
          (wanted.kind && card.dataset.kind !== wanted.kind) || parseFloat(card.dataset.loss) < least;
      }
      const order = wanted.order === "loss"
        ? (a, b) => parseFloat(b.dataset.loss) - parseFloat(a.dataset.loss) : (a, b) => a.dataset.at - b.dataset.at;
      list.append(...cards.sort(order));
      say();
    };
    cards.forEach((card, i) => { card.dataset.at = i; });
    bar.addEventListener("input", filter);
    bar.addEventListener("submit", (e) => e.preventDefault());
    document.getElementById("next").addEventListener("click", () => step(1));
    document.getElementById("previous").addEventListener("click", () => step(-1));
    document.addEventListener("keydown", (e) => {
      if (e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName)) return;
      const by = { ArrowRight: 1, n: 1, j: 1, ArrowLeft: -1, p: -1, k: -1 }[e.key];
      if (!by) return;
      e.preventDefault();
      step(by);
    });
    const fromHash = () => {
      const card = document.getElementById(location.hash.slice(1));
      if (card && card.classList.contains("decision")) {
        if (card.hidden) { bar.reset(); filter(); }
        show(card);
      } else if (card && card.tagName === "DETAILS") card.open = true;
    };
    addEventListener("hashchange", fromHash);
    filter();
    fromHash();
  }
})();
