// A Redis for a standalone installation: a server on PATH, or else the one that came with the open programs. Its password is in files that
// only their owner may read, so neither the arguments nor the environment of a process show it.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { onPath } from './commands.mjs';
import { openProgramsDirectory } from './paths.mjs';
import { ensurePrivate, ensureSecret, privateFolder, writePrivate } from './private-files.mjs';
import { SetupProblem } from './progress.mjs';

/** Path of the server program, or undefined if the machine has none yet. */
export function redisProgram() {
  const bundled = path.join(openProgramsDirectory, 'valkey-server');
  return onPath(['valkey-server', 'redis-server']) ?? (fs.existsSync(bundled) ? fs.realpathSync(bundled) : undefined);
}

/** The replies on one connection to one request, read until they match `enough`, the peer closes, or 2 s pass. */
const conversation = (port, question, enough) =>
  new Promise((resolve) => {
    let answer = '';
    const socket = net.connect(port, '127.0.0.1', () => socket.write(question));
    const settle = (there) => {
      socket.destroy();
      resolve({ there, answer });
    };
    socket.on('data', (data) => {
      answer += data;
      if (enough.test(answer)) settle(true);
    });
    socket.on('close', () => settle(true));
    socket.on('error', (error) => settle(error.code !== 'ECONNREFUSED'));
    socket.setTimeout(2000, () => settle(true));
  });

/**
 * Listener on a port: `nobody`; `ours`, a Redis that accepts this password, with its process id; `silent`, no reply; `foreign`, anything else.
 */
export async function askRedis(port, password) {
  const question = `AUTH ${password}\r\nPING\r\nINFO server\r\n`;
  const { there, answer } = await conversation(port, question, /process_id:\d+\r?\n|^-(?:ERR|WRONGPASS|NOAUTH)/m);
  if (!there) return { who: 'nobody' };
  const pid = /^process_id:(\d+)/m.exec(answer)?.[1];
  if (answer.startsWith('+OK') && pid !== undefined)
    return { who: 'ours', pid: Number(pid), ready: /^\+PONG/m.test(answer) };
  return { who: answer === '' ? 'silent' : 'foreign' };
}

/** In memory only, because the records are in PostgreSQL; noeviction, which the queues need; on the loopback interface only. */
const settings = (folder, port, password) => ({
  port,
  bind: '127.0.0.1',
  dir: JSON.stringify(folder),
  save: '""',
  appendonly: 'no',
  'maxmemory-policy': 'noeviction',
  daemonize: 'no',
  requirepass: password,
});

/** The password of this folder's Redis, and the file with the URL that contains it; creates whichever is missing. */
export function redisSecrets(folder, port) {
  privateFolder(folder);
  const password = ensureSecret(path.join(folder, 'password'));
  const urlFile = path.join(folder, 'url');
  ensurePrivate(urlFile, `redis://:${password}@127.0.0.1:${port}\n`);
  return { password, urlFile };
}

/** Starts the Redis of this folder and returns the process, which outlives this one. */
export function launchRedis(folder, port) {
  const program = redisProgram();
  if (program === undefined)
    throw new SetupProblem('No Redis was found.', 'Set REDIS_URL, or install redis-server or valkey-server.');
  const { password } = redisSecrets(folder, port);
  const file = path.join(folder, 'redis.conf');
  const lines = Object.entries(settings(folder, port, password)).map(([name, value]) => `${name} ${value}\n`);
  writePrivate(file, lines.join(''));
  const log = fs.openSync(path.join(folder, 'redis.log'), 'a', 0o600);
  try {
    return spawn(program, [file], { stdio: ['ignore', log, log], detached: true });
  } finally {
    fs.closeSync(log);
  }
}
