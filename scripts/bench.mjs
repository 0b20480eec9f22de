#!/usr/bin/env node
// npm run bench: the project's benchmarks, each a ratio measured in one run, because machines differ and are shared.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { testFiles } from './checks/needs.mjs';
import { command } from './setup/command.mjs';
import { ensureBuild, ensureNodePackages } from './setup/node-packages.mjs';
import { checkout, projectNode, toolPath } from './setup/paths.mjs';
import { SetupProblem } from './setup/progress.mjs';

/** Each benchmark by name, with sentences about what this machine lacks for it. */
const benches = new Map(testFiles('bench').map(({ file, missing }) => [path.basename(file, '.bench.ts'), missing]));
const known = [...benches.keys()];

const usage = `npm run bench -- [NAME...] [--json FILE]

Runs the benchmarks (${known.join(', ')}) and prints each figure with its goal. Quote medians and ratios, not single times.
What this machine cannot run is left out by name, unless it is asked for; chaos needs the project's own cluster (npm run cluster:up)
and half an hour; soak submits for twelve minutes, 30 sessions a second.
  --json FILE   writes the list of figures {name, value, goal, met}
`;

/** Runs one benchmark, which writes its results to a file; after a failure prints the results so far. */
function measure(name) {
  const child = spawn(
    projectNode(),
    [
      '--experimental-vm-modules',
      path.join(checkout, 'node_modules/jest/bin/jest.js'),
      '--silent=false',
      `/${name}\\.bench`,
    ],
    {
      cwd: checkout,
      env: {
        ...process.env,
        PATH: toolPath(),
        TEST_SIZE: 'bench',
        NODE_NO_WARNINGS: '1',
        FLEET_BENCH_OUT: path.join(os.tmpdir(), `fleet-bench-${process.pid}-${name}.json`),
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const out = path.join(os.tmpdir(), `fleet-bench-${process.pid}-${name}.json`);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      const figures = fs.existsSync(out) ? JSON.parse(fs.readFileSync(out, 'utf8')) : undefined;
      fs.rmSync(out, { force: true });
      if (code === 0 && figures !== undefined) return resolve(figures);
      for (const figure of figures ?? []) process.stdout.write(row(figure));
      return reject(new SetupProblem(`the benchmark ${name} failed (exit ${code}).`));
    });
  });
}

const row = ({ name, value, goal, met }) =>
  `${met ? 'met   ' : 'MISSED'}  ${String(value).padStart(10)}  goal ${goal.padEnd(10)}  ${name}\n`;

/** The benchmarks to run. A requested one that cannot run is an error; others are left out and listed. */
function chosen(named) {
  const unknown = named.filter((name) => !benches.has(name));
  if (unknown.length > 0)
    throw new SetupProblem(`${unknown.join(', ')}: not a benchmark.`, `Known: ${known.join(', ')}.`);
  const wanted = named.length > 0 ? named : known;
  for (const name of wanted.filter((each) => benches.get(each).length > 0)) {
    const why = benches.get(name).join('; ');
    if (named.length > 0) throw new SetupProblem(`The benchmark ${name} cannot run: ${why}.`);
    process.stdout.write(`left out  ${name}: ${why}\n`);
  }
  return wanted.filter((name) => benches.get(name).length === 0);
}

async function work({ json }, positionals) {
  const names = chosen(positionals);
  await ensureNodePackages();
  await ensureBuild();
  const figures = [];
  for (const name of names) {
    for (const figure of await measure(name)) {
      figures.push(figure);
      process.stdout.write(row(figure));
    }
  }
  if (json) fs.writeFileSync(json, `${JSON.stringify(figures, null, 2)}\n`);
  return figures.every(({ met }) => met) ? 0 : 1;
}

command({ call: 'npm run bench --', usage, options: { json: { type: 'string' } }, allowPositionals: true, work });
