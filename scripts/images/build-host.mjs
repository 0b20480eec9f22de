// Settings of this machine that a build needs to reach package registries. They are passed as build secrets, so no layer contains them.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { answerOf } from '../setup/commands.mjs';

const firstFile = (candidates) => candidates.find((file) => file && fs.existsSync(file) && fs.statSync(file).size > 0);

/** The parts of apt's configuration that define how to reach a mirror; the rest belongs to the image. */
function aptSettings() {
  const lines = answerOf('apt-config', ['dump', 'Acquire']) ?? '';
  return lines
    .split('\n')
    .filter((line) => /^Acquire::(https?|Check-|Retries)/.test(line))
    .map((line) => `${line}\n`)
    .join('');
}

/** Additional certificates that this machine trusts; undefined on most machines. */
const extraCertificates = () => firstFile([process.env.NODE_EXTRA_CA_CERTS, process.env.PIP_CERT]);

/** Runs `work` with buildah's `--secret` arguments and then removes the file made for them. */
export async function withBuildSecrets(work) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fleet-images-'));
  try {
    const aptconf = path.join(folder, 'apt.conf');
    fs.writeFileSync(aptconf, aptSettings(), { mode: 0o600 });
    const secrets = {
      npmrc: firstFile([process.env.NPM_CONFIG_USERCONFIG, path.join(os.homedir(), '.npmrc')]),
      pipconf: firstFile([
        process.env.PIP_CONFIG_FILE,
        path.join(os.homedir(), '.config/pip/pip.conf'),
        '/etc/pip.conf',
      ]),
      ca: extraCertificates(),
      aptconf: firstFile([aptconf]),
    };
    const given = Object.entries(secrets).filter(([, file]) => file !== undefined);
    return await work(
      given.flatMap(([id, file]) => ['--secret', `id=${id},src=${file}`]),
      secrets,
    );
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
