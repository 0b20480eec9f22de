// One hash over the inputs of an image: an image whose hash has not changed is not rebuilt.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { checkout } from '../setup/paths.mjs';
import { libFolders } from '../setup/tiers.mjs';
import { isForDebuggers } from './compiled.mjs';

const isSource = (file) =>
  !/(\.(medium-)?spec\.ts|\.pyc)$/.test(file) && !/(^|\/)__pycache__\//.test(file) && !isForDebuggers(file);

function filesUnder(name) {
  const absolute = path.join(checkout, name);
  if (fs.statSync(absolute).isFile()) return [name];
  return fs
    .readdirSync(absolute, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(checkout, path.join(entry.parentPath ?? entry.path, entry.name)));
}

const libraryIndex = (name) => {
  const candidates = libFolders.map((folder) => path.join(folder, name, 'src/index.ts'));
  const index = candidates.find((file) => fs.existsSync(path.join(checkout, file)));
  if (index === undefined) throw new Error(`No library @fleet/${name} lies in libs/`);
  return index;
};

function resolveImport(from, request) {
  const area = /^@fleet\/contracts\/([^/]+)$/.exec(request);
  if (area !== null) return `libs/domain/contracts/src/${area[1]}/index.ts`;
  const lib = /^@fleet\/([^/]+)$/.exec(request);
  if (lib !== null) return libraryIndex(lib[1]);
  return path.join(path.dirname(from), `${request}.ts`);
}

/** These files and all source files that they import, directly or not. */
export function importClosure(files) {
  const all = new Set(files);
  for (const file of all) {
    const text = fs.readFileSync(path.join(checkout, file), 'utf8');
    for (const [, request] of text.matchAll(/\bfrom '((?:\.|@fleet\/)[^']*)'/g)) all.add(resolveImport(file, request));
  }
  return [...all];
}

/** sha256 over the names and contents of files and folders of the checkout, and over `facts`. */
export function contentKey(inputs, facts) {
  const hash = createHash('sha256').update(JSON.stringify(facts));
  const files = [...new Set(inputs.flatMap(filesUnder))].filter(isSource).sort();
  for (const file of files) hash.update(`\0${file}\0`).update(fs.readFileSync(path.join(checkout, file)));
  return hash.digest('hex');
}
