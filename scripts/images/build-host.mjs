// Settings of this machine that a build needs to reach package registries. They are given as build secrets, so no layer keeps them.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { answerOf } from '../setup/commands.mjs';

const firstFile = (candidates) => candidates.find((file) => file && fs.existsSync(file) && fs.statSync(file).size > 0);

/** What of apt's configuration says how to reach a mirror; the rest is the image's own. */
function aptSettings() {
  const lines = answerOf('apt-config', ['dump', 'Acquire']) ?? '';
  return lines
    .split('\n')
    .filter((line) => /^Acquire::(https?|Check-|Retries)/.test(line))
    .map((line) => `${line}\n`)
    .join('');
}

/** Certificates that this machine was told to trust beyond the usual ones; undefined on most machines. */
const extraCertificates = () => firstFile([process.env.NODE_EXTRA_CA_CERTS, process.env.PIP_CERT]);

/** Runs `work` with buildah's `--secret` arguments; the file made for them is gone afterwards. */
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
