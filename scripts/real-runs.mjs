#!/usr/bin/env node
// Runs real data sets from files to STOP through the local facility and writes what was seen to docs/real-runs.md.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { layOut } from './setup/demo-data.mjs';
import { startFacility, stopFacility } from './setup/facility.mjs';
import { ensureBuild, ensureNodePackages } from './setup/node-packages.mjs';
import { ensureOpenPrograms, licensedPhenix } from './setup/open-programs.mjs';
import { checkout, projectNode } from './setup/paths.mjs';
import { movedModel } from './setup/move-model.mjs';
import { keepPrivate } from './setup/private-files.mjs';
import { SetupProblem, report } from './setup/progress.mjs';

const usage = `node scripts/real-runs.mjs --data DIR [--only NAME]... [--out FILE]

Solves real data sets one after the other and writes R-work/R-free or map correlation of every cycle to docs/real-runs.md.
  --data DIR    the folder with the data sets (tiny_5e5z, rnase_sa, 5a3h, il1b_1l2h_twin, synth_cryoem_rnase_3A)
  --only NAME   just this run; may be repeated
  --out FILE    default docs/real-runs.md
`;

const firstChain = (text) =>
  text
    .split('\n')
    .filter((line) => !/^(ATOM {2}|HETATM|ANISOU|TER)/.test(line) || line[21] === 'A')
    .filter((line) => line.slice(17, 20) !== 'HOH')
    .join('\n');

const read = (file) => fs.readFileSync(file, 'latin1');

const nutlin = (work) => ({
  what: 'MDM2 with nutlin-3a, ligand not yet built',
  reference: '0.294/0.293 → 0.224/0.237; polder CC(1,3) 0.92',
  files: () => layOut('nutlin', path.join(work, 'nutlin')),
});

const lysozyme = (work) => ({
  what: 'lysozyme, model turned 60° and moved 25 Å',
  reference: 'TFZ 9.9; 0.304/0.331 → 0.262/0.315',
  files: () => layOut('lysozyme', path.join(work, 'lysozyme')),
});

const oneChain = (at, made) => ({
  what: 'RNase Sa from one chain, turned and moved: two copies to be placed',
  reference: 'TFZ 8.6, then 18.1; CC 0.617 at 3 Å',
  files: () => [
    at('rnase_sa/rnase_sa.mtz'),
    made('rnase_sa_one_chain/chain_a.pdb', movedModel(firstChain(read(at('rnase_sa/rnase_sa_tutorial_start.pdb'))))),
  ],
});

const xray = (at, made) => ({
  tiny_5e5z: {
    what: 'peptide of 47 atoms, 441 reflections',
    reference: '0.339/0.335 (shaken) → 0.193/0.222',
    files: () => [at('tiny_5e5z/5e5z.mtz'), at('tiny_5e5z/5e5z.pdb')],
  },
  rnase_sa: {
    what: 'RNase Sa, placed, no waters',
    reference: 'start 0.258/0.291',
    files: () => [at('rnase_sa/rnase_sa.mtz'), at('rnase_sa/rnase_sa_tutorial_start.pdb')],
  },
  rnase_sa_one_chain: oneChain(at, made),
  '5a3h': {
    what: 'Cel5A, perturbed start',
    reference: '0.390/0.383 → 0.151/0.199',
    files: () => [at('5a3h/5a3h.mtz'), at('5a3h/5a3h_start_perturbed.pdb')],
  },
  il1b_1l2h_twin: {
    what: 'interleukin-1β mutant, twinned h,-k,-l',
    reference: '0.138/0.162, twin fraction 0.336',
    files: () => [at('il1b_1l2h_twin/1l2h.mtz'), at('il1b_1l2h_twin/1l2h.pdb')],
  },
});

const cryoem = (at, made) => {
  const maps = ['full_map.ccp4', 'half_map_1.ccp4', 'half_map_2.ccp4'].map((name) => at('synth_cryoem_rnase_3A', name));
  const model = at('synth_cryoem_rnase_3A/start_shaken.pdb');
  return {
    cryoem_shaken: {
      what: 'synthetic half maps, 3 Å, model shaken by 0.8 Å',
      reference: 'CC_mask 0.778 → 0.884; FSCaverage 0.952',
      files: () => [...maps, model],
    },
    cryoem_moved: {
      what: 'the same, model turned 60° and moved 25 Å out of the map',
      reference: 'docked, then FSCaverage 0.948',
      files: () => [...maps, made('cryoem_moved/moved.pdb', movedModel(read(model)))],
    },
  };
};

/** Each run: what it shows, the figures it stands beside, and its files (made in `work` where they have to be changed first). */
const runs = (data, work) => {
  const at = (...parts) => path.join(data, ...parts);
  const made = (name, text) => {
    const file = path.join(work, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text, 'latin1');
    return file;
  };
  return { nutlin: nutlin(work), lysozyme: lysozyme(work), ...xray(at, made), ...cryoem(at, made) };
};

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

function section(name, run, session) {
  return [
    `## ${name}`,
    '',
    `${run.what[0].toUpperCase()}${run.what.slice(1)}. Seen before, with the bare programs: ${run.reference}.`,
    '',
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
  const submitted = await phx(url, ['submit', '--json', '--title', name, '--', ...files]);
  if (submitted.code !== 0) throw new SetupProblem(`${name} was refused.`);
  const { id } = JSON.parse(submitted.output);
  await phx(url, ['watch', id]);
  const session = JSON.parse((await phx(url, ['show', id, '--json'])).output);
  process.stderr.write(`${session.status} after ${session.cycles.length} cycles\n`);
  return section(name, run, session);
}

const head = `# Real runs

What was seen when each data set went from files to STOP through the local facility, with real programs alone. Written by \`node scripts/real-runs.mjs\`;
R values are fractions, correlations go from 0 to 1, times are wall seconds of the program on a shared machine with two cores.

`;

async function main() {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      only: { type: 'string', multiple: true },
      out: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help || !values.data) {
    process.stdout.write(usage);
    return values.help ? 0 : 2;
  }
  await ensureNodePackages();
  await ensureBuild();
  if (licensedPhenix() === undefined) await ensureOpenPrograms();
  keepPrivate();
  const work = fs.mkdtempSync(path.join(os.tmpdir(), 'fleet-real-runs-'));
  const all = runs(path.resolve(values.data), path.join(work, 'data'));
  const chosen = Object.entries(all).filter(([name]) => !values.only || values.only.includes(name));
  fs.mkdirSync(path.join(work, 'data'), { recursive: true });
  const { url } = await startFacility(work, { dataRoots: [path.resolve(values.data), path.join(work, 'data')] });
  try {
    const sections = [];
    for (const [name, run] of chosen) sections.push(await solve(url, name, run));
    fs.writeFileSync(values.out ?? path.join(checkout, 'docs', 'real-runs.md'), head + sections.join('\n'));
  } finally {
    await stopFacility(work);
  }
  return 0;
}

main().then(
  (code) => (process.exitCode = code),
  (error) => (process.exitCode = report(error)),
);
