// `node --import ./test/support/typescript.mjs file.ts` runs the sources without a build: for tests and benches that need real processes.
import { transformSync } from '@swc/core';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { enableCompileCache, registerHooks } from 'node:module';
import { tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { libFolders } from '../../scripts/setup/tiers.mjs';

const root = resolve(import.meta.dirname, '../..');
/** Outlives a run of tests, whose temporary folder does not. */
const cache = (process.env.TEST_TYPESCRIPT_CACHE ??= join(tmpdir(), `fleet-typescript-${userInfo().username}`));
mkdirSync(cache, { recursive: true, mode: 0o700 });
enableCompileCache(join(cache, 'v8'));

const options = {
  swcrc: false,
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
  },
  module: { type: 'commonjs' },
  sourceMaps: 'inline',
};

/** Transpiled once per content; many processes and threads of them start at the same time, so a file appears by rename, each out of one of its own. */
const transpiled = (path) => {
  const source = readFileSync(path, 'utf8');
  const file = join(cache, `${createHash('sha256').update(path).update(source).digest('hex')}.js`);
  if (existsSync(file)) return readFileSync(file, 'utf8');
  const { code } = transformSync(source, { ...options, filename: path });
  const written = `${file}.${randomUUID()}`;
  writeFileSync(written, code);
  renameSync(written, file);
  return code;
};

const firstFile = (base) =>
  [base, `${base}.ts`, join(base, 'index.ts')].find((path) => path.endsWith('.ts') && existsSync(path));

const libraryIndex = (name) =>
  libFolders.map((folder) => join(root, folder, name, 'src', 'index.ts')).find((path) => existsSync(path));

/** Jest imports a spec as `FILE?TIME`, so that a watched file is read again: the query is not part of the path. */
const isTypescript = (url) => url !== undefined && /\.ts(\?|$)/.test(url);

const sourceOf = (specifier, parent) => {
  const area = /^@fleet\/contracts\/([^/]+)$/.exec(specifier);
  if (area) return join(root, 'libs/domain/contracts/src', area[1], 'index.ts');
  const library = /^@fleet\/([^/]+)$/.exec(specifier);
  if (library) return libraryIndex(library[1]);
  if (!specifier.startsWith('.') || !isTypescript(parent)) return undefined;
  return firstFile(fileURLToPath(new URL(specifier, parent)));
};

registerHooks({
  resolve(specifier, context, next) {
    const source = sourceOf(specifier, context.parentURL);
    return source === undefined
      ? next(specifier, context)
      : { url: pathToFileURL(source).href, format: 'commonjs', shortCircuit: true };
  },
  load(url, context, next) {
    return isTypescript(url)
      ? { format: 'commonjs', source: transpiled(fileURLToPath(url)), shortCircuit: true }
      : next(url, context);
  },
});
