// The source of a Go module without files that a program of ours does not need, where their clients of other services would make most
// of its build. What is left is as it was published; go.sum binds what it was copied from.
import fs from 'node:fs';
import path from 'node:path';

const isTest = (file) => file.endsWith('_test.go') || path.basename(file) === 'tests';

function copySource(from, to) {
  fs.rmSync(to, { recursive: true, force: true });
  fs.cpSync(from, to, { recursive: true, filter: (file) => !isTest(file) });
  // Go's module cache has neither files nor folders that may be written.
  for (const entry of fs.readdirSync(to, { recursive: true, withFileTypes: true }))
    fs.chmodSync(path.join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
  fs.chmodSync(to, 0o755);
}

function keepFiles(folder, kept) {
  const names = fs.readdirSync(folder).filter((name) => name.endsWith('.go'));
  const missing = kept.filter((name) => !names.includes(name));
  if (missing.length > 0) throw new Error(`${folder} has no ${missing.join(', ')}`);
  for (const name of names.filter((each) => !kept.includes(each))) fs.rmSync(path.join(folder, name));
}

/** Leaves these cases of a switch over texts, each of one line, and its default. */
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
 * Makes the source below a folder, and a go.mod beside it that takes it instead of the published module. Returns that go.mod's path.
 * @param trimmed {dependency, files: {folder: names that stay}, cases: {file: cases that stay}}
 * @param from where the published module lies
 * @param ownModule the folder of our go.mod that requires it
 */
export function trimSource({ dependency, files, cases }, from, ownModule, to) {
  const source = path.join(to, 'source');
  copySource(from, source);
  for (const [folder, kept] of Object.entries(files)) keepFiles(path.join(source, folder), kept);
  for (const [file, kept] of Object.entries(cases)) keepCases(path.join(source, file), kept);
  const own = fs.readFileSync(path.join(ownModule, 'go.mod'), 'utf8');
  fs.writeFileSync(path.join(to, 'go.mod'), `${own}\nreplace ${dependency} => ${source}\n`);
  fs.copyFileSync(path.join(ownModule, 'go.sum'), path.join(to, 'go.sum'));
  return path.join(to, 'go.mod');
}
