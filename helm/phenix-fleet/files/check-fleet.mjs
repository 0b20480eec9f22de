// helm test: checks that the gateway answers and is ready, that an executor has published programs (optional), and that the doctor finds no error.
import { existsSync, readFileSync } from 'node:fs';

const { GATEWAY, REQUIRE_PROGRAMS, TIMEOUT_SECONDS, RETRY_MS = '2000', PODS, ADMIN_KEY_FILE = '' } = process.env;
/** The administrator's key, if the chart has one; a gateway without keys requires none. */
const headers = existsSync(ADMIN_KEY_FILE)
  ? { authorization: `Bearer ${readFileSync(ADMIN_KEY_FILE, 'utf8').trim()}` }
  : {};
const endsAt = Date.now() + Number(TIMEOUT_SECONDS) * 1000;
const pause = () => new Promise((resolve) => setTimeout(resolve, Number(RETRY_MS)));

async function get(path, method = 'GET') {
  const response = await fetch(`${GATEWAY}${path}`, { method, headers, signal: AbortSignal.timeout(5000) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}

async function check() {
  const ready = await get(REQUIRE_PROGRAMS === 'true' ? '/health/ready?strict=true' : '/health/ready');
  console.log(`The gateway is ready: ${JSON.stringify(ready.details)}`);
  const { programs } = await get('/v1/programs');
  const installed = programs.filter((program) => program.installed);
  for (const { program, version } of installed) console.log(`  ${program} ${version ?? ''}`);
  console.log(`${installed.length} of ${programs.length} programs are installed.`);
  if (REQUIRE_PROGRAMS === 'true' && installed.length === 0) throw new Error('no program is installed');
  await checkUp();
}

/** The report of `phx admin doctor`. The URL does not exist if the administration is switched off. */
async function checkUp() {
  const response = await fetch(`${GATEWAY}/v1/admin/doctor`, { headers, signal: AbortSignal.timeout(15_000) });
  if (response.status === 404) {
    console.log('The doctor was not asked: administration is disabled (FLEET_ADMIN_API).');
    return;
  }
  if (!response.ok) throw new Error(`GET /v1/admin/doctor: ${response.status} ${await response.text()}`);
  const { findings } = await response.json();
  if (PODS === 'true') findings.push(...(await tryOut()));
  for (const { check, level, seen, why = '', remedy = '' } of findings)
    console.log(`  ${level}  ${check}: ${[seen, why, remedy].filter((text) => text !== '').join(' ')}`);
  const isWanted = ({ check }) => REQUIRE_PROGRAMS === 'true' || !check.startsWith('programs.');
  const errors = findings.filter((finding) => finding.level === 'error' && isWanted(finding));
  if (errors.length > 0) throw new Error(`the doctor found: ${errors.map(({ check }) => check).join(', ')}`);
}

/** The result of the doctor's trial pods, requested once, however often the other checks repeat. */
let trial;
async function tryOut() {
  trial ??= await get('/v1/admin/doctor/trial', 'POST');
  while (trial.state === 'waiting' || trial.state === 'running') {
    if (Date.now() >= endsAt) throw new Error(`the trial of the doctor is ${trial.state}`);
    await pause();
    ({ trial } = await get('/v1/admin/doctor/trial'));
  }
  if (trial.state === 'given_up') throw new Error('the trial of the doctor was given up');
  return trial.findings;
}

for (;;) {
  try {
    await check();
    break;
  } catch (error) {
    if (Date.now() >= endsAt) {
      console.error(`The fleet is not well: ${error.cause?.code ?? error.message}`);
      process.exitCode = 1;
      break;
    }
    await pause();
  }
}
