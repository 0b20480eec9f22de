#!/usr/bin/env node
// Runs real datasets from files to STOP through the standalone installation and writes the results to scripts/real-runs/results.md.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { dataSets } from './real-runs/data-sets.mjs';
import { command } from './setup/command.mjs';
import { startStandalone, stopStandalone } from './setup/standalone.mjs';
import { ensureBuild, ensureNodePackages } from './setup/node-packages.mjs';
import { ensureOpenPrograms, licensedPhenix } from './setup/open-programs.mjs';
import { checkout, projectNode } from './setup/paths.mjs';
import { keepPrivate } from './setup/private-files.mjs';
import { SetupProblem } from './setup/progress.mjs';

const usage = `node scripts/real-runs.mjs --data DIR [--only NAME]... [--out FILE]

Runs real data sets one after the other and writes R-work/R-free or map correlation of every cycle to scripts/real-runs/results.md.
  --data DIR    the folder with the data sets (tiny_5e5z, rnase_sa, 5a3h, il1b_1l2h_twin, synth_cryoem_rnase_3A, unseen_2026)
  --only NAME   just this run; may be repeated
  --out FILE    default scripts/real-runs/results.md
`;

function phx(url, args) {
  const child = spawn(projectNode(), [path.join(checkout, 'dist/apps/cli/src/main.js'), '--server', url, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}

const shown = [
  'r_work',
  'r_free',
  'map_cc',
  'tfz',
  'ligand_cc',
  'cc_1_3',
  'twin_law',
  'resolution',
  'clashscore',
  'ramachandran_favored',
];

function cycleRow({ cycle, decision, attempts, result }) {
  const metrics = (result?.metrics ?? [])
    .filter(({ name }) => shown.includes(name))
    .map(({ name, value }) => `${name} ${typeof value === 'number' ? Number(value.toPrecision(4)) : value}`);
  const last = attempts.at(-1);
  const took = ((last?.ending?.durationMs ?? 0) / 1000).toFixed(1);
  return `| ${cycle} | ${decision.program} | ${last?.programVersion ?? ''} | ${result?.outcome ?? ''} | ${metrics.join(', ')} | ${took} |`;
}

const expected = ({ reference, must }) =>
  must === undefined ? `Seen before, with the bare programs: ${reference}` : `It has to end ${must}`;

/** The parts of the advice that were understood, and those that were not. */
function understoodLines({ guidance }) {
  const { understood = [], notFollowed = [] } = guidance?.reading ?? {};
  const says = [...understood.map((one) => one.says), ...notFollowed.map(({ words }) => `Not followed: "${words}".`)];
  return says.length === 0 ? [] : [`Understood: ${says.join(' ')}`, ''];
}

function section(name, run, session) {
  return [
    `## ${name}`,
    '',
    `${run.what[0].toUpperCase()}${run.what.slice(1)}. ${expected(run)}.`,
    '',
    ...understoodLines(session),
    '| cycle | program | run by | outcome | metrics | s |',
    '| --- | --- | --- | --- | --- | --- |',
    ...session.cycles.map(cycleRow),
    '',
    `Ended **${session.status}** (${session.stop?.reason}): ${session.stop?.detail}`,
    '',
  ].join('\n');
}

async function solve(url, name, run) {
  const files = await run.files();
  process.stderr.write(`· ${name} … `);
  const given = files.length === 0 ? [] : ['--', ...files];
  const submitted = await phx(url, ['submit', '--json', '--title', name, ...(run.args ?? []), ...given]);
  if (submitted.code !== 0) throw new SetupProblem(`${name} was refused.`);
  const { id } = JSON.parse(submitted.output);
  await phx(url, ['watch', id]);
  const session = JSON.parse((await phx(url, ['show', id, '--json'])).output);
  process.stderr.write(`${session.status} after ${session.cycles.length} cycles\n`);
  return section(name, run, session);
}

const head = `# Real runs

Made by \`node scripts/real-runs.mjs\`: what was seen when each data set went from files to STOP through the standalone installation, with real programs alone;
R values are fractions, correlations go from 0 to 1, times are wall seconds of the program on a shared machine with two cores.

`;

async function work(values) {
  await ensureNodePackages();
  await ensureBuild();
  if (licensedPhenix() === undefined) await ensureOpenPrograms();
  keepPrivate();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fleet-real-runs-'));
  const all = dataSets(path.resolve(values.data), path.join(folder, 'data'));
  const chosen = Object.entries(all).filter(([name]) => !values.only || values.only.includes(name));
  fs.mkdirSync(path.join(folder, 'data'), { recursive: true });
  const { url } = await startStandalone(folder, { dataRoots: [path.resolve(values.data), path.join(folder, 'data')] });
  try {
    const sections = [];
    for (const [name, run] of chosen) sections.push(await solve(url, name, run));
    fs.writeFileSync(
      values.out ?? path.join(checkout, 'scripts', 'real-runs', 'results.md'),
      head + sections.join('\n'),
    );
  } finally {
    await stopStandalone(folder);
  }
}

command({
  call: 'node scripts/real-runs.mjs',
  usage,
  options: { data: { type: 'string' }, only: { type: 'string', multiple: true }, out: { type: 'string' } },
  isComplete: ({ data }) => Boolean(data),
  work,
});
