// A campaign from its user's side: submit one manifest, watch it, repair and rerun the failed rows, fetch the table of results.
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/** One program for each dataset: R-work and R-free of the unrefined model. */
const directives = `stop_conditions: { after_program: phenix.model_vs_data, skip_validation: true }
workflow_preferences: { skip_programs: [phenix.xtriage] }
`;

/** Creates a key for a user of this proposal only. `admin` is a client with an administrator's key. */
export async function userKey(admin, proposal) {
  const options = ['--owner', 'campaign', '--role', 'user', '--proposal', proposal, '--days', '1'];
  const { key } = await admin.json('admin', 'keys', 'create', ...options);
  return key;
}

function writeManifest(crystals, folder, shown) {
  const manifest = path.join(folder, 'campaign.csv');
  const lines = crystals.map(({ name, data, model }) => [name, shown(data), shown(model)].join(','));
  fs.writeFileSync(manifest, `${['title,files.data,files.model', ...lines].join('\n')}\n`);
  fs.writeFileSync(path.join(folder, 'campaign.yaml'), directives);
  return manifest;
}

/** Watches a batch until every session has ended; returns outcome, duration, and the exit of `phx batch watch`. */
async function watched(phx, id) {
  const begun = Date.now();
  const code = await phx.say('batch', 'watch', id);
  const { outcomes } = await phx.json('batch', 'show', id);
  const { results } = await phx.json('batch', 'results', id, '--limit', '10000');
  const rows = results.map(({ session }) => ({ title: session?.title, id: session?.id, outcome: session?.outcome }));
  return { code, seconds: Math.round((Date.now() - begun) / 1000), outcomes, rows };
}

/** Title and R-free of each line of the table; its first columns have no quoted cells. */
function readTable(file) {
  const [header = '', ...lines] = fs.readFileSync(file, 'utf8').trim().split(/\r?\n/);
  const names = header.replace(/^\uFEFF/, '').split(',');
  return lines.map((line) => {
    const cells = line.split(',');
    const cell = (name) => cells[names.indexOf(name)];
    return { title: cell('title'), outcome: cell('outcome'), rFree: Number(cell('r_free') || Number.NaN) };
  });
}

/** The program of the session ran to its end, whatever the model quality. */
const ranThrough = ({ outcome }) =>
  ['solved', 'goal_reached', 'unfinished', 'unknown', 'unsatisfactory'].includes(outcome);
const others = (rows, isWanted) =>
  rows.filter((row) => !isWanted(row)).map(({ title, outcome }) => `${title} is ${outcome}`);

/** Sentences about deviations from the expected result. */
function problemsOf({ spoiled, first, again, table }, crystals) {
  const isSpoiled = ({ title }) => spoiled.includes(title);
  const before = new Map(first.rows.map(({ title, id }) => [title, id]));
  return [
    ...others(first.rows, (row) => (isSpoiled(row) ? row.outcome === 'failed_science' : ranThrough(row))),
    ...others(again.rows, ranThrough).map((each) => `${each} after it was repaired`),
    ...again.rows
      .filter((row) => (before.get(row.title) === row.id) === isSpoiled(row))
      .map(
        ({ title }) =>
          `${title} ${spoiled.includes(title) ? 'was not run again' : 'was run again, and had not failed'}`,
      ),
    ...(table.length === crystals.length ? [] : [`the table has ${table.length} lines`]),
    ...table.filter(({ rFree }) => !(rFree > 0 && rFree < 1)).map(({ title }) => `${title} has no R-free in the table`),
  ];
}

/**
 * Submits the crystals as one batch and follows it to its table. `shown` returns a file's path as the services see it; `phx` is a client
 * with a user's key.
 * @returns {id, spoiled, first, again, table, results, problems}
 */
export async function runCampaign(phx, { crystals, folder, proposal, shown = (file) => file }) {
  const manifest = writeManifest(crystals, folder, shown);
  const about = ['--proposal', proposal, '--title', `a campaign of ${crystals.length}`, '--set', 'max_cycles=1'];
  const how = ['--directives', path.join(folder, 'campaign.yaml'), '--idempotency-key', randomUUID()];
  const { id } = await phx.json('batch', 'submit', manifest, ...about, ...how);
  const first = await watched(phx, id);
  const spoiled = crystals.filter(({ repair }) => repair !== undefined);
  for (const { repair } of spoiled) repair();
  await phx.say('batch', 'retry', id);
  const again = await watched(phx, id);
  const results = path.join(folder, 'results.csv');
  await phx.say('batch', 'results', id, '--sort', 'fit', '--output', results);
  const seen = { id, spoiled: spoiled.map(({ name }) => name), first, again, table: readTable(results), results };
  return { ...seen, problems: problemsOf(seen, crystals) };
}

/** The result as readable text. */
export const campaignLines = ({ spoiled, first, again, table, results, problems }) => [
  '',
  `${table.length} datasets: ${first.seconds} s, ${JSON.stringify(first.outcomes)}`,
  `${spoiled.length} repaired and run again: ${again.seconds} s, ${JSON.stringify(again.outcomes)}`,
  `The table with R-free: ${results}`,
  ...problems.map((problem) => `NOT as promised: ${problem}`),
];
