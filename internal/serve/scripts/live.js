"use strict";

// A page of files follows them: when one changes, its content is fetched again.
if (document.body.dataset.since) {
  const live = document.getElementById("live");
  const events = new EventSource("/events?since=" + document.body.dataset.since);
  let latest = 0; // an earlier answer that comes later is not shown
  events.addEventListener("changed", async () => {
    const turn = ++latest;
    const answer = await fetch(location.href);
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (turn !== latest) return;
    const fresh = page.getElementById("main");
    if (fresh) {
      const old = document.getElementById("main");
      const scrolled = [...old.querySelectorAll(".scroll")].map((e) => e.scrollLeft);
      old.replaceWith(fresh);
      fresh.querySelectorAll(".scroll").forEach((e, i) => { e.scrollLeft = scrolled[i] || 0; });
    }
    live.textContent = "changed at " + new Date().toLocaleTimeString();
  });
  events.addEventListener("error", () => { live.textContent = "the server does not answer; trying again"; });
  events.addEventListener("hello", () => { live.textContent = "as the files are now"; });
}

for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = "copied";
  });
}
