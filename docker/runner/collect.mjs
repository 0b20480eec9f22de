// Collects what runs inside pods into one folder that needs no npm package and can be copied anywhere:
//   node collect.mjs DIST TARGET   ->   TARGET/run-attempt.js, TARGET/probe-programs.js, TARGET/run-trial.js, TARGET/lib/...
// An import of anything but Node's own modules and files of this project is refused: a pod has no node_modules.
import fs from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import path from 'node:path';

const runner = 'adapters/attempt-runner/src';
const entries = ['run-attempt', 'probe-programs', 'run-trial'];
const [, , dist, target] = process.argv;
if (dist === undefined || target === undefined) throw new Error('usage: collect.mjs DIST TARGET');

const libs = fs.realpathSync(path.join(dist, 'libs'));

const requestsOf = (file) =>
  [...fs.readFileSync(file, 'utf8').matchAll(/\brequire\("([^"]+)"\)/g)].map(([, request]) => request);

function importedBy(file) {
  const { resolve } = createRequire(file);
  return requestsOf(file)
    .filter((request) => !isBuiltin(request))
    .map((request) => {
      if (!request.startsWith('.')) throw new Error(`${file} needs the package ${request}; a pod has no packages.`);
      return resolve(request);
    });
}

function withImports(files) {
  const all = new Set(files);
  for (const file of all) for (const imported of importedBy(file)) all.add(imported);
  return [...all].sort();
}

const mains = entries.map((name) => path.join(libs, runner, `${name}.js`));
for (const file of withImports(mains)) {
  const copy = path.join(target, 'lib', path.relative(libs, file));
  fs.mkdirSync(path.dirname(copy), { recursive: true });
  fs.copyFileSync(file, copy);
}
for (const name of entries)
  fs.writeFileSync(path.join(target, `${name}.js`), `require('./lib/${runner}/${name}.js');\n`);
