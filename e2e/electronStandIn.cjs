// Stands where Electron's own default app would be: loads the app folder of the command line, and before it the modules
// asked for with `-r` (Playwright's loader comes that way).
const { app } = require('electron');
const { readFileSync } = require('node:fs');
const Module = require('node:module');
const path = require('node:path');

const preloaded = [];
let folder;
for (let args = process.argv.slice(1), at = 0; at < args.length && folder === undefined; at++) {
  if (args[at] === '-r' || args[at] === '--require') preloaded.push(args[++at]);
  else if (!args[at].startsWith('-')) folder = path.resolve(args[at]);
}
if (folder === undefined) {
  console.error('usage: electron [-r MODULE] FOLDER');
  process.exit(1);
}
Module._preloadModules(preloaded);
Object.defineProperty(process, 'defaultApp', { value: true, enumerable: true });
const { name, productName, version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
app.name = productName ?? name;
app.setVersion(version);
app.setAppPath(folder);
Module._load(Module._resolveFilename(folder, null, true), null, true);
