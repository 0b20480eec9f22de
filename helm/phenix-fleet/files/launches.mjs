// Around helm upgrade: `drain` stops launches of new programs; `resume` restarts them, unless an administrator has paused them meanwhile.
// An unreachable gateway is reported and does not block the upgrade, which may repair it.
import { existsSync, readFileSync } from 'node:fs';

const { ACTION, GATEWAY, BY, REASON, TIMEOUT_SECONDS, RETRY_MS = '2000', ADMIN_KEY_FILE = '' } = process.env;
/** The administrator's key, if the chart has one; a gateway without keys requires none. */
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
    // A gateway with access control records the owner of the key; the reason names this release.
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
