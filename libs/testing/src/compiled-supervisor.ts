import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';

const libs = join(__dirname, '..', '..');

/** Source folders, and the paths that others import them by. */
const parts = [
  ...['domain/contracts', 'domain/ports', 'platform/untrusted-files', 'adapters/attempt-runner'].map(
    (name) => [join(libs, name, 'src'), join('node_modules', '@fleet', basename(name))] as const,
  ),
  [join(libs, 'adapters/local-backend', 'src'), 'local-backend'] as const,
];

/** Each source, by the path of its compiled file. */
const sources = (): ReadonlyMap<string, string> =>
  new Map(
    parts.flatMap(([source, target]) =>
      globSync('**/*.ts', { cwd: source, exclude: (name) => /spec\.ts$/.test(name) }).map(
        (name) => [join(target, name.replace(/\.ts$/, '.js')), readFileSync(join(source, name), 'utf8')] as const,
      ),
    ),
  );

const compile = (texts: ReadonlyMap<string, string>): string => {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-supervisor-'));
  for (const [name, text] of texts) {
    const compilerOptions = { module: ModuleKind.CommonJS, target: ScriptTarget.ES2023, isolatedModules: true };
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), transpileModule(text, { compilerOptions }).outputText);
  }
  chmodSync(folder, 0o755);
  return folder;
};

/**
 * The attempt supervisor as a script for plain Node: tests run from sources, but a supervisor is a separate process. It
 * is compiled once for each version of the sources, and stays in the temporary folder. Returns its path, and the path
 * of the compiled package beside it.
 */
export const compileSupervisor = (): { readonly script: string; readonly backend: string } => {
  const texts = sources();
  const hash = createHash('sha256')
    .update(JSON.stringify([...texts]))
    .digest('hex');
  const folder = join(tmpdir(), `fleet-supervisor-${String(process.getuid?.())}-${hash.slice(0, 32)}`);
  if (!existsSync(folder)) {
    const compiled = compile(texts);
    try {
      renameSync(compiled, folder);
    } catch (error) {
      // Another process was faster.
      rmSync(compiled, { recursive: true });
      if (!existsSync(folder)) throw error;
    }
  }
  return {
    script: join(folder, 'node_modules', '@fleet', 'attempt-runner', 'run-attempt.js'),
    backend: join(folder, 'local-backend', 'index.js'),
  };
};
