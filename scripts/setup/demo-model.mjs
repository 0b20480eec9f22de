// A demo in which a small local language model chooses the programs wherever the rules leave a choice.
import fs from 'node:fs';
import path from 'node:path';
import { readStandalone } from './standalone-state.mjs';
import { ensureLocalModel, startLocalModel } from './local-model.mjs';
import { isAlive } from './processes.mjs';
import { SetupProblem, step } from './progress.mjs';

/** Checked before anything is installed. */
export function checkModel({ model, keep, work }) {
  if (model === undefined) return;
  if (model !== 'local')
    throw new SetupProblem(`--model ${model}: only local is known.`, 'Models of your own: docs/models.md.');
  if (keep) throw new SetupProblem('--model local ends with the demo, so that it cannot be used with --keep.');
  if (isAlive(readStandalone(work).services['decision-worker']))
    throw new SetupProblem(
      `An installation that asks no model runs in ${work}.`,
      `Stop it first: npm run demo -- --stop --work ${work}`,
    );
}

const settings = (url) => `local_only: true
targets:
  - id: local
    protocol: openai
    base_url: ${url}
    model: SmolLM2-135M-Instruct
    local: true
    context_tokens: 8192
    max_output_tokens: 256
    temperature: 0
roles:
  planning: [local]
  directives: [local]
`;

/** Installs and starts the model server; `environment` is for the services. The server ends with this process or by `stop`. */
export async function startDemoModel(work) {
  await ensureLocalModel();
  return step('local model', async () => {
    fs.mkdirSync(work, { recursive: true });
    const log = fs.openSync(path.join(work, 'local-model.log'), 'a', 0o640);
    const { child, url } = await startLocalModel({ stderr: log });
    fs.closeSync(log);
    const file = path.join(work, 'models.yaml');
    fs.writeFileSync(file, settings(url));
    return { value: { environment: { FLEET_MODELS_FILE: file }, stop: () => child.kill() }, note: url };
  });
}

const readText = ({ modelReading: read }) =>
  read.failed === undefined
    ? `  advice read by the model (${read.dropped?.length ?? 0} of its directives dropped: the words do not support them)\n`
    : `  advice read by the rules alone (${read.requests} requests to the model: ${read.why})\n`;

/** A readable summary of what read the advice and what chose each program. */
export function toldDecisions({ cycles, guidance }) {
  const lines = cycles.map(({ cycle, decision: { program, decidedBy, planning } }) => {
    const why = planning?.failed === undefined ? '' : `: ${planning.why}`;
    const requests = planning === undefined ? 'nothing to choose' : `${planning.requests} requests to the model${why}`;
    return `  cycle ${cycle} ${program.padEnd(24)} by ${decidedBy} (${requests})\n`;
  });
  const read = guidance?.modelReading === undefined ? '' : readText(guidance);
  return `\nWho decided\n${read}${lines.join('')}`;
}
