#!/usr/bin/env node
// npm run mutants: changes the domain's code in one place after another, and counts the changes that no test notices.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { mutatedLibs, roundsOf, specsWith } from './mutants/libs.mjs';
import { scoreOf, survivorsOf } from './mutants/score.mjs';
import { ensureNodePackages } from './setup/node-packages.mjs';
import { cacheRoot, checkout, projectNode, toolPath } from './setup/paths.mjs';
import { SetupProblem, report } from './setup/progress.mjs';

const usage = `npm run mutants -- [--lib NAME] [--own | --walks WORD...] [--survivors] [--show] [FILE...]

Mutation testing of libs/domain (${mutatedLibs.join(', ')}), one lib or all; FILE is one of the lib's, under its src/.
What has not changed since the last run is not tested again: results are kept in ${path.join(cacheRoot, 'mutants')}.
  --own         asks the domain's own specs alone: minutes instead of an hour
  --walks WORD  asks them and those walked sessions (libs/application/decision-graph) whose file names hold the word
  --survivors   lists what survived, by file and line, at the end
  --show        prints the results of the last run and runs nothing
docs/mutation-testing.md has the scores and what to make of them; dist/mutants/LIB.html shows each mutant in its place.
`;

const options = {
  lib: { type: 'string' },
  own: { type: 'boolean', default: false },
  walks: { type: 'string', multiple: true },
  survivors: { type: 'boolean', default: false },
  show: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
};

const resultsOf = (lib) => path.join(cacheRoot, 'mutants', `${lib}.json`);

/** One round of one lib; what Stryker writes while it works lies in a temporary folder that goes away. */
async function mutate(lib, specs, files) {
  const temporary = fs.mkdtempSync(path.join(os.tmpdir(), 'fleet-mutants-'));
  const main = path.join(checkout, 'scripts/mutants/mutate.main.mjs');
  const told = [
    '--lib',
    lib,
    ...specs.map((each) => `--specs=${each}`),
    '--temporary',
    temporary,
    '--results',
    resultsOf(lib),
  ];
  const child = spawn(projectNode(), [main, ...told, ...files], {
    cwd: checkout,
    env: { ...process.env, PATH: toolPath(), TMPDIR: temporary, NODE_NO_WARNINGS: '1' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  try {
    await new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) =>
        code === 0 ? resolve() : reject(new SetupProblem(`the mutants of ${lib} could not be tested (exit ${code}).`)),
      );
    });
  } finally {
    fs.rmSync(temporary, { recursive: true, force: true });
  }
}

function tell(lib, survivors) {
  if (!fs.existsSync(resultsOf(lib))) return void process.stdout.write(`${lib}: not run yet\n`);
  const results = JSON.parse(fs.readFileSync(resultsOf(lib), 'utf8'));
  for (const line of scoreOf(lib, results)) process.stdout.write(`${line}\n`);
  if (survivors) for (const line of survivorsOf(results)) process.stdout.write(`${line}\n`);
}

/** The libs that are asked for. */
function chosen(lib, files) {
  if (lib === undefined && files.length > 0) throw new SetupProblem('Whose files? Name the lib with --lib.');
  if (lib === undefined) return mutatedLibs;
  if (mutatedLibs.includes(lib)) return [lib];
  throw new SetupProblem(`${lib}: not a lib that is mutated.`, `Known: ${mutatedLibs.join(', ')}.`);
}

/** Which specs are asked, round after round. */
function rounds(lib, { own, walks }) {
  if (walks !== undefined) return [specsWith(walks)];
  return own ? roundsOf(lib).slice(0, 1) : roundsOf(lib);
}

async function main() {
  const { values, positionals: files } = parseArgs({ options, allowPositionals: true });
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  const libs = chosen(values.lib, files);
  if (!values.show) await ensureNodePackages();
  for (const lib of libs) {
    if (!values.show) for (const specs of rounds(lib, values)) await mutate(lib, specs, files);
    tell(lib, values.survivors);
  }
  return 0;
}

main().then(
  (code) => (process.exitCode = code),
  (error) => (process.exitCode = report(error)),
);
