// Running other programs from a script: argument lists only, never a shell.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { SetupProblem } from './progress.mjs';

let shielded = false;

/** Shields the commands that `run` starts from Ctrl-C at the terminal: a command that stops something must finish. */
export const shieldCommands = () => {
  shielded = true;
};

/**
 * Runs a command to its end and returns its standard output, with `all` also its standard error. Both are printed only if it fails, unless
 * `live`. The error it then throws has its `exitCode`.
 */
export function run(command, args, { cwd, env, live = false, all = false, what } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: env ?? process.env,
      detached: shielded,
      stdio: live ? ['ignore', 2, 2] : ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let stdout = '';
    child.stdout?.on('data', (data) => {
      stdout += data;
      output += data;
    });
    child.stderr?.on('data', (data) => (output += data));
    child.on('error', (error) => reject(new SetupProblem(`${what ?? command} could not be started: ${error.message}`)));
    child.on('close', (code, signal) => {
      if (code === 0) return void resolve(all ? output : stdout);
      const words = `${what ?? command} failed (${signal ?? `exit ${code}`}):\n${output.slice(-4000)}`;
      reject(Object.assign(new SetupProblem(words), { exitCode: code }));
    });
  });
}

function isExecutableFile(candidate) {
  try {
    fs.accessSync(candidate, fs.constants.X_OK);
    return fs.statSync(candidate).isFile();
  } catch (error) {
    if (['ENOENT', 'EACCES', 'ENOTDIR'].includes(error.code)) return false;
    throw error;
  }
}

/** PATH with the system administration folders (such as /usr/sbin), which not every root shell has. */
export const systemPath = () => [process.env.PATH ?? '', '/usr/local/sbin', '/usr/sbin', '/sbin'].join(path.delimiter);

/** The first executable on PATH with one of these names, or undefined. */
export function onPath(names, searchPath = process.env.PATH ?? '') {
  const folders = searchPath.split(path.delimiter).filter((folder) => folder !== '');
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name))).find(isExecutableFile);
}

/** Standard output of a short command, or undefined when it fails. */
export function answerOf(command, args) {
  const result = spawnSync(command, args, { encoding: 'utf8' });
  return result.status === 0 ? result.stdout.trim() : undefined;
}

const isRootOnDebian = () => process.getuid?.() === 0 && onPath(['apt-get']) !== undefined;

/** Installs Debian packages if this user may; otherwise prints the exact command and stops. */
export async function needDebianPackages(packages, why) {
  const command = `apt-get install -y ${packages.join(' ')}`;
  if (!isRootOnDebian()) throw new SetupProblem(why, `Install it with:  sudo ${command}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['update', '-q'], { env, what: 'apt-get update' });
  // A new machine often runs its own updates.
  const options = ['-o', 'DPkg::Lock::Timeout=600', '-y', '-q', '--no-install-recommends'];
  await run('apt-get', ['install', ...options, ...packages], { env, what: command });
}
