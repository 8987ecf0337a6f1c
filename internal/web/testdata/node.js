// Loads the scripts of a folder, but for the page's own, and checks them as check.js has
// it: node node.js DIR FIXTURE [measure].
const fs = require("fs"), path = require("path"), vm = require("vm");
const [dir, fixture, measure] = process.argv.slice(2);
const run = (file) => vm.runInThisContext(fs.readFileSync(file, "utf8"), { filename: file });
const html = fs.readFileSync(path.join(dir, "index.html"), "utf8");
for (const [, name] of html.matchAll(/<script src="([^"]+)"/g)) {
  if (name !== "board.js" && name !== "app.js") run(path.join(dir, name));
}
run(path.join(__dirname, "check.js"));
const wanted = JSON.parse(fs.readFileSync(fixture));
(async () => {
  const result = measure ? await measureFolder(wanted, false) : await checkFolder(wanted);
  console.log(JSON.stringify(result));
})().catch((e) => { console.error(e); process.exit(1); });
