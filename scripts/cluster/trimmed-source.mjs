// A trimmed copy of a Go module: without files that our program does not need, whose clients for other services would be most of the
// build. The remaining files are as published; go.sum pins the module that was copied.
import fs from 'node:fs';
import path from 'node:path';

const isTest = (file) => file.endsWith('_test.go') || path.basename(file) === 'tests';

function copySource(from, to) {
  fs.rmSync(to, { recursive: true, force: true });
  fs.cpSync(from, to, { recursive: true, filter: (file) => !isTest(file) });
  // Files and folders in Go's module cache are read-only.
  for (const entry of fs.readdirSync(to, { recursive: true, withFileTypes: true }))
    fs.chmodSync(path.join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
  fs.chmodSync(to, 0o755);
}

function keepFiles(folder, needed) {
  const names = fs.readdirSync(folder).filter((name) => name.endsWith('.go'));
  const missing = needed.filter((name) => !names.includes(name));
  if (missing.length > 0) throw new Error(`${folder} has no ${missing.join(', ')}`);
  for (const name of names.filter((each) => !needed.includes(each))) fs.rmSync(path.join(folder, name));
}

/** Keeps only these cases, and the default, of a switch over strings. */
function keepCases(file, cases) {
  const text = fs.readFileSync(file, 'utf8');
  const left = text.replace(/^\tcase ("[^\n]*):\n(?:\t\t[^\n]*\n|\t\t?\/\/[^\n]*\n)+/gm, (whole, names) =>
    names.split(', ').some((name) => cases.includes(name.replaceAll('"', ''))) ? whole : '',
  );
  const missing = cases.filter((name) => !left.includes(`\tcase "${name}"`));
  if (missing.length > 0) throw new Error(`${file} has no case ${missing.join(', ')}`);
  fs.writeFileSync(file, left);
}

/**
 * Writes the source below a folder, and beside it a go.mod that replaces the published module by it. Returns the path of that go.mod.
 * @param trimmed {dependency, files: {folder: names to keep}, cases: {file: cases to keep}}
 * @param from folder of the published module
 * @param ownModule the folder of our go.mod that requires it
 */
export function trimSource({ dependency, files, cases }, from, ownModule, to) {
  const source = path.join(to, 'source');
  copySource(from, source);
  for (const [folder, names] of Object.entries(files)) keepFiles(path.join(source, folder), names);
  for (const [file, names] of Object.entries(cases)) keepCases(path.join(source, file), names);
  const own = fs.readFileSync(path.join(ownModule, 'go.mod'), 'utf8');
  fs.writeFileSync(path.join(to, 'go.mod'), `${own}\nreplace ${dependency} => ${source}\n`);
  fs.copyFileSync(path.join(ownModule, 'go.sum'), path.join(to, 'go.sum'));
  return path.join(to, 'go.mod');
}
