// Texts go to the clipboard.
(() => {
  for (const button of document.querySelectorAll("button.copy")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const text = button.dataset.text;
      try {
        await navigator.clipboard.writeText(text);
      } catch { // a page opened as a file may not
        const area = document.createElement("textarea");
        area.value = text;
        document.body.append(area);
        area.select();
        document.execCommand("copy");
        area.remove();
      }
      const before = button.textContent;
      button.textContent = "copied";
      setTimeout(() => { button.textContent = before; }, 1200);
    });
  }
})();
