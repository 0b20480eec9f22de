import { mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';

const libs = join(__dirname, '..', '..');

const transpileFolder = (source: string, target: string): void => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?<!\.(?:medium-)?spec)\.ts$/.test(name),
  );
  for (const name of files) {
    const output = join(target, name.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(output), { recursive: true });
    const compilerOptions = { module: ModuleKind.CommonJS, target: ScriptTarget.ES2023, isolatedModules: true };
    writeFileSync(output, transpileModule(readFileSync(join(source, name), 'utf8'), { compilerOptions }).outputText);
  }
};

/**
 * The attempt supervisor as a script that plain Node runs, in a new temporary folder: tests run from sources, but a
 * supervisor is a process of its own. Returns its path, and the path of the compiled package beside it.
 */
export const compileSupervisor = (): { readonly script: string; readonly backend: string; readonly folder: string } => {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-supervisor-'));
  for (const name of ['domain/contracts', 'domain/ports', 'platform/untrusted-files', 'adapters/attempt-runner']) {
    transpileFolder(join(libs, name, 'src'), join(folder, 'node_modules', '@fleet', basename(name)));
  }
  transpileFolder(join(libs, 'adapters/local-backend', 'src'), join(folder, 'local-backend'));
  return {
    folder,
    script: join(folder, 'node_modules', '@fleet', 'attempt-runner', 'run-attempt.js'),
    backend: join(folder, 'local-backend', 'index.js'),
  };
};
