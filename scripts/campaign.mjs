#!/usr/bin/env node
// npm run campaign: many datasets as one batch through the real services with a real program, one in ten failing on purpose.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { crystalIn, layOutCrystals } from './campaign/crystals.mjs';
import { campaignLines, runCampaign, userKey } from './campaign/run-campaign.mjs';
import { Client } from './demo-cluster/client.mjs';
import { command } from './setup/command.mjs';
import { placedLysozyme } from './setup/demo-data.mjs';
import { startStandalone, stopStandalone } from './setup/standalone.mjs';
import { ensureBuild, ensureNodePackages } from './setup/node-packages.mjs';
import { ensureOpenPrograms, licensedPhenix } from './setup/open-programs.mjs';
import { keepPrivate, writePrivate } from './setup/private-files.mjs';
import { SetupProblem, step } from './setup/progress.mjs';

const usage = `Submits many datasets as one batch on this machine, with the key of a user: each runs phenix.model_vs_data. One in ten has a model of another
crystal form and fails; those are repaired and run again, and the table of results with R-free is fetched.

npm run campaign -- [options]
  --datasets N     how many (default 200)
  --data FOLDER    a folder with one *.mtz and one *.pdb; every dataset is a copy of them (default: lysozyme, 1.76 Å)
  --work DIR       where the installation and the datasets lie (default ~/phenix-fleet-campaign)
  --json FILE      write what was seen to FILE
  --help

On a cluster: npm run demo:cluster -- --campaign N
Exit code: 0 everything as promised, 1 not, 130 interrupted.
`;

const options = {
  datasets: { type: 'string', default: '200' },
  data: { type: 'string' },
  work: { type: 'string', default: path.join(os.homedir(), 'phenix-fleet-campaign') },
  json: { type: 'string' },
};

const proposal = 'campaign';

/** The processes to end when the user interrupts. */
const live = { folder: undefined, phx: undefined };

async function setUp() {
  await ensureNodePackages();
  await ensureBuild();
  if (licensedPhenix() === undefined) await ensureOpenPrograms();
}

/** An administrator of this folder's installation. The first campaign creates the installation's first key and stores it beside it. */
async function administrator(url, work) {
  const file = path.join(work, 'admin-key');
  if (!fs.existsSync(file)) {
    const { key } = await new Client(url, '').json('admin', 'keys', 'create', '--owner', 'root', '--role', 'admin');
    writePrivate(file, key);
  }
  return new Client(url, fs.readFileSync(file, 'utf8'));
}

async function campaign({ datasets, data, json, ...values }) {
  keepPrivate();
  if (!/^[1-9]\d{0,3}$/.test(datasets))
    throw new SetupProblem('--datasets takes a number from 1 to 9999.', 'npm run campaign -- --help');
  const work = path.resolve(values.work);
  const source = data === undefined ? await placedLysozyme() : crystalIn(path.resolve(data));
  await setUp();
  const root = path.join(work, 'data');
  fs.mkdirSync(root, { recursive: true });
  const folder = fs.mkdtempSync(path.join(root, 'campaign-'));
  const crystals = layOutCrystals(source, folder, Number(datasets));
  live.folder = path.join(work, 'standalone');
  const { url } = await step('PostgreSQL, Redis, gateway and three workers', async () => ({
    value: await startStandalone(live.folder, {
      dataRoots: [],
      environment: { FLEET_SHARED_ROOTS: root, FLEET_SHARED_ACCOUNT: 'accepted' },
    }),
  }));
  const admin = await administrator(url, work);
  live.phx = new Client(url, await userKey(admin, proposal));
  const seen = await runCampaign(live.phx, { crystals, folder, proposal });
  process.stdout.write(`${campaignLines(seen).join('\n')}\n`);
  if (json) fs.writeFileSync(json, `${JSON.stringify(seen, null, 2)}\n`);
  return seen.problems.length === 0 ? 0 : 1;
}

/** Ends running sessions, so that no program is left running, then stops the services. */
async function tearDown() {
  if (live.folder === undefined) return;
  live.phx?.close();
  try {
    const { batches = [] } = (await live.phx?.json('batch', 'list', '--proposal', proposal)) ?? {};
    for (const { id } of batches.filter(({ done }) => !done)) await live.phx.say('batch', 'cancel', id, '--wait');
  } finally {
    await stopStandalone(live.folder);
  }
}

command({
  call: 'npm run campaign --',
  usage,
  options,
  work: campaign,
  stopping: 'the batch is cancelled, then the services end',
  tearDown,
});
