// A Redis for a standalone installation: a server on PATH, else the one that came with the open programs. It has a password of its own, which lies
// in files that only their owner may read: neither the arguments nor the environment of a process show it.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { onPath } from './commands.mjs';
import { openProgramsDirectory } from './paths.mjs';
import { ensurePrivate, ensureSecret, privateFolder, writePrivate } from './private-files.mjs';
import { SetupProblem } from './progress.mjs';

/** The server's program, or undefined when the machine has none yet. */
export function redisProgram() {
  const bundled = path.join(openProgramsDirectory, 'valkey-server');
  return onPath(['valkey-server', 'redis-server']) ?? (fs.existsSync(bundled) ? fs.realpathSync(bundled) : undefined);
}

/** What is said to all that was asked on one connection, until `enough` of it is there, the other side ends it, or a while has passed. */
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
 * What listens on a port: `nobody`; `ours`, with its process id, a Redis that takes this password; `silent`, which says nothing now; `foreign`, anything else.
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

/** The password of the Redis in this folder, and the file with the URL that has it; both made where they are missing. */
export function redisSecrets(folder, port) {
  privateFolder(folder);
  const password = ensureSecret(path.join(folder, 'password'));
  const urlFile = path.join(folder, 'url');
  ensurePrivate(urlFile, `redis://:${password}@127.0.0.1:${port}\n`);
  return { password, urlFile };
}

/** Starts the Redis of this folder; it outlives this process. Gives the process. */
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
