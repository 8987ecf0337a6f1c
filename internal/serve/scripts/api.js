"use strict";
// The HTTP interface, and how numbers are written.
(() => {
  // Asks for JSON; an error has what the server says.
  async function ask(path, query = {}, method = "GET") {
    const text = new URLSearchParams();
    for (const [name, values] of Object.entries(query)) {
      for (const v of [values].flat()) if (v !== "" && v !== undefined) text.append(name, v);
    }
    let answer;
    try {
      answer = await fetch(`${path}?${text}`, { method });
    } catch {
      throw new Error("the server does not answer");
    }
    const content = await answer.json().catch(() => ({ error: `status ${answer.status}` }));
    if (!answer.ok) throw new Error(content.error);
    return content;
  }

  const minus = (text) => text.replace("-", "−");
  const equity = (x, digits = 3) => (x < 0 ? "−" : "+") + Math.abs(x).toFixed(digits);
  const plain = (x, digits = 3) => minus(x.toFixed(digits));
  const percent = (p) => (100 * p).toFixed(1);

  // An element with attributes and what is in it: texts and elements.
  function element(name, attributes = {}, ...inside) {
    const e = document.createElement(name);
    for (const [k, v] of Object.entries(attributes)) {
      if (k.startsWith("on")) e.addEventListener(k.slice(2), v);
      else if (v === true) e.setAttribute(k, "");
      else if (v !== false && v !== undefined) e.setAttribute(k, v);
    }
    e.append(...inside.filter((x) => x !== undefined && x !== null));
    return e;
  }

  Object.assign(bgtrain, { ask, format: { equity, plain, percent, minus }, element });
})();
