// The cluster of `npm test`: its binaries and the images are built beside the checks that need neither, it starts when those are
// done, and it is taken down when the last check is. Where it cannot be had, the suites that need it are left out by name.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { whyNoBinaries } from '../cluster/binaries.mjs';
import { status } from '../cluster/lifecycle.mjs';
import { binDirectory } from '../cluster/recipe.mjs';
import { ensureRequirements } from '../cluster/requirements.mjs';
import { run } from '../setup/commands.mjs';
import { checkout } from '../setup/paths.mjs';
import { SetupProblem } from '../setup/progress.mjs';

const script = (name) => path.join(checkout, 'scripts', name);

/** A build that goes on beside the checks: it gives way to them (nice), and what it prints is kept for the case that it fails. */
function inBackground(title, args) {
  const begun = Date.now();
  const log = path.join(os.tmpdir(), `fleet-${path.basename(args[0], '.mjs')}-${process.pid}.log`);
  const output = fs.openSync(log, 'w');
  const child = spawn('nice', ['-n', '19', process.execPath, ...args], {
    cwd: checkout,
    stdio: ['ignore', output, output],
  });
  fs.closeSync(output);
  const stop = () => child.kill();
  process.once('exit', stop);
  return new Promise((resolve) => {
    const settle = (ok) => {
      process.removeListener('exit', stop);
      const text = fs.readFileSync(log, 'utf8');
      fs.rmSync(log);
      resolve({ title, ok, tookMs: Date.now() - begun, text });
    };
    child.on('error', () => settle(false));
    child.on('close', (code) => settle(code === 0));
  });
}

async function buildAll() {
  const binaries = await inBackground('binaries', [script('cluster.mjs'), 'build']);
  if (!binaries.ok) return [binaries];
  return [binaries, await inBackground('images', [script('images.mjs'), 'build'])];
}

/** Why no cluster can be had here; undefined when it can. Installs Debian packages where we may. */
async function obstacle() {
  try {
    await ensureRequirements({ node: true });
  } catch (error) {
    if (error instanceof SetupProblem) return error.message;
    throw error;
  }
  return whyNoBinaries();
}

const oneLine = (text) => text.replaceAll(/\s*\n\s*/g, ' ');

/** Path of the kubeconfig; undefined, with the reason printed, when the cluster does not start: the other checks count all the same. */
async function bringUp() {
  try {
    return (await run(process.execPath, [script('cluster.mjs'), 'up'], { what: 'cluster up' })).trim();
  } catch (error) {
    if (!(error instanceof SetupProblem)) throw error;
    process.stdout.write(`${error.message}\n`);
    return undefined;
  }
}

/** Waits for what is being built, then starts the cluster and hands it to the tests by KUBECONFIG and PATH. */
async function start(building) {
  const waited = Date.now();
  const built = await building;
  const waitedMs = Date.now() - waited;
  const note = [
    ...built.map(({ title, tookMs }) => `${title} ${(tookMs / 1000).toFixed(0)} s beside the rest`),
    `waited ${(waitedMs / 1000).toFixed(0)} s for them`,
  ].join(', ');
  const broken = built.find(({ ok }) => !ok);
  if (broken !== undefined) {
    process.stdout.write(`The cluster's ${broken.title} could not be built:\n${broken.text.slice(-4000)}\n`);
    return { ok: false, note };
  }
  const kubeconfig = await bringUp();
  if (kubeconfig === undefined) return { ok: false, note };
  process.env.KUBECONFIG = kubeconfig;
  process.env.PATH = `${binDirectory}${path.delimiter}${process.env.PATH}`;
  return { ok: true, note };
}

/**
 * Begins the building and gives the check that starts the cluster, and `end`, which takes down what was started here (a cluster
 * that was up before, or that KUBECONFIG names, stays).
 */
export async function beginCluster() {
  const why = await obstacle();
  if (why !== undefined) {
    const leftOut = [{ file: 'the cluster', why: oneLine(why) }];
    return { check: { name: 'cluster', run: () => ({ ok: true, leftOut }) }, end: () => undefined };
  }
  const wasUp = Boolean(process.env.KUBECONFIG) || (await status()).up;
  const building = buildAll();
  const end = async () => {
    if (!wasUp && process.env.KUBECONFIG)
      await run(process.execPath, [script('cluster.mjs'), 'down'], {
        env: { ...process.env, KUBECONFIG: '' },
        what: 'cluster down',
      });
  };
  return { check: { name: 'cluster', run: () => start(building) }, end };
}
