// Around helm upgrade: `drain` lets no new program start; `resume` continues, if nobody else has paused meanwhile.
// A gateway that cannot be reached is said and holds up no upgrade: it may be what the upgrade repairs.
import { existsSync, readFileSync } from 'node:fs';

const { ACTION, GATEWAY, BY, REASON, TIMEOUT_SECONDS, RETRY_MS = '2000', ADMIN_KEY_FILE = '' } = process.env;
/** Of an administrator, where the chart has one; a gateway without keys asks for none. */
const authorization = existsSync(ADMIN_KEY_FILE)
  ? { authorization: `Bearer ${readFileSync(ADMIN_KEY_FILE, 'utf8').trim()}` }
  : {};
const endsAt = Date.now() + Number(TIMEOUT_SECONDS) * 1000;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function call(method, body) {
  const response = await fetch(`${GATEWAY}/v1/admin/launch`, {
    method,
    headers: { 'content-type': 'application/json', ...authorization },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(5000),
  });
  if (!response.ok) throw new Error(`${method} /v1/admin/launch: ${response.status} ${await response.text()}`);
  return response.json();
}

const actions = {
  async drain() {
    const { mode, by } = await call('GET');
    if (mode !== 'open') return `Launches are ${mode} already${by && `, by ${by}`}; it stays so.`;
    await call('PUT', { mode: 'draining', reason: REASON, by: BY });
    return 'No new program starts. Those that run continue, as Jobs.';
  },
  async resume() {
    const { mode, by, reason } = await call('GET');
    if (mode === 'open') return 'Launches are open.';
    // A gateway that asks who is there writes down whose key it was; the reason names this release.
    if (by !== BY && reason !== REASON)
      return `Launches are ${mode}${by && `, by ${by}`}, not by this upgrade: phx admin resume opens them.`;
    await call('PUT', { mode: 'open', reason: '', by: BY });
    return 'Programs start again.';
  },
};

for (;;) {
  try {
    console.log(await actions[ACTION]());
    break;
  } catch (error) {
    const cause = error.cause?.code ?? error.message;
    if (Date.now() >= endsAt) {
      console.error(`${ACTION}: ${GATEWAY} does not do it: ${cause}.`);
      process.exitCode = ACTION === 'resume' ? 1 : 0;
      break;
    }
    await pause(Number(RETRY_MS));
  }
}
