// A Redis for a local facility: a server on PATH, else the one that came with the open programs. It has a password of its own, which lies
// in files that only their owner may read: neither the arguments nor the environment of a process show it.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { onPath } from './commands.mjs';
import { openProgramsDirectory } from './paths.mjs';
import { ensureSecret, privateFolder, writePrivate } from './private-files.mjs';
import { SetupProblem } from './progress.mjs';

/** Whether nobody listens on a port of 127.0.0.1, nor uses it for a connection. */
export const isFreePort = (port) =>
  new Promise((resolve) => {
    const server = net.createServer();
    server.on('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

/** Where the system takes the ports of outgoing connections from, below which a listener keeps its port. */
function firstOutgoingPort() {
  const file = '/proc/sys/net/ipv4/ip_local_port_range';
  const first = fs.existsSync(file) ? Number.parseInt(fs.readFileSync(file, 'utf8'), 10) : 32768;
  return first > 11_000 ? first : 32768;
}

/** A port from 10000 up that no outgoing connection is given by chance: whoever listens there may end, and find it free again. */
export async function freePort() {
  const end = firstOutgoingPort();
  for (;;) {
    const port = randomInt(10_000, end);
    if (await isFreePort(port)) return port;
  }
}

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
 * What listens on a port: `nobody`; `ours`, with its process id, a Redis that takes this password (`ready` unless it still reads its
 * files); `silent`, which says nothing now; `foreign`, anything else.
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

/** Durable (AOF, noeviction), on the loopback interface alone. */
const settings = (folder, port, password) => ({
  port,
  bind: '127.0.0.1',
  dir: JSON.stringify(folder),
  save: '""',
  appendonly: 'yes',
  appendfsync: 'everysec',
  'maxmemory-policy': 'noeviction',
  daemonize: 'no',
  requirepass: password,
});

/** The password of the Redis in this folder, and the file with the URL that has it; both made where they are missing. */
export function redisSecrets(folder, port) {
  privateFolder(folder);
  const password = ensureSecret(path.join(folder, 'password'));
  const urlFile = path.join(folder, 'url');
  const url = `redis://:${password}@127.0.0.1:${port}\n`;
  if (!fs.existsSync(urlFile) || fs.readFileSync(urlFile, 'utf8') !== url) writePrivate(urlFile, url);
  return { password, urlFile };
}

/** Starts the Redis of this folder; it goes on after this process, and may still be reading its files. Gives the process. */
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
