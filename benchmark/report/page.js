// Tables sort by a column, decisions filter, texts go to the clipboard. Without
// this script the page shows the same, all of it.
"use strict";
(() => {
  const number = (cell) => {
    const m = cell.textContent.replace(/[\u202f ]/g, "").replace("−", "-").match(/^[+-]?\d*\.?\d+/);
    return m ? parseFloat(m[0]) : NaN;
  };
  const compare = (a, b) => {
    const x = number(a), y = number(b);
    if (Number.isNaN(x) !== Number.isNaN(y)) return Number.isNaN(x) ? 1 : -1;
    return Number.isNaN(x) ? a.textContent.localeCompare(b.textContent) : x - y;
  };
  for (const table of document.querySelectorAll("main table:not(.plays)")) {
    const heads = table.tHead ? [...table.tHead.rows[0].cells] : [];
    heads.forEach((head, column) => {
      if (!head.textContent.trim() || head.querySelector(".hidden")) return;
      const button = document.createElement("button");
      button.className = "sort";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        heads.forEach((h) => h.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const body = table.tBodies[0];
        const rows = [...body.rows].sort((r, s) => compare(r.cells[column], s.cells[column]) * (down ? -1 : 1));
        body.append(...rows);
      });
    });
  }
  if (matchMedia("(max-width: 40rem)").matches) { // a phone: boards when asked for
    for (const part of document.querySelectorAll("#worst details")) part.open = false;
  }
  const form = document.getElementById("filter");
  if (form) {
    form.hidden = false;
    const show = () => {
      const wanted = Object.fromEntries(new FormData(form));
      const least = parseFloat(wanted.loss) || 0;
      let shown = 0;
      for (const card of document.querySelectorAll("#worst .card")) {
        card.hidden = (wanted.class && card.dataset.class !== wanted.class) ||
          (wanted.plan && card.dataset.plan !== wanted.plan) || parseFloat(card.dataset.loss) < least;
        if (!card.hidden) shown++;
      }
      for (const part of document.querySelectorAll("#worst details")) {
        part.hidden = !part.querySelector(".card:not([hidden])");
        if (wanted.class || wanted.plan || least) part.open = !part.hidden;
      }
      document.getElementById("shown").textContent = shown + " shown";
    };
    form.addEventListener("input", show);
  }
})();
