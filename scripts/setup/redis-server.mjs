// A Redis for a local facility: REDIS_URL, else a server on PATH, else the one that came with the open programs.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { onPath } from './commands.mjs';
import { openProgramsDirectory } from './paths.mjs';
import { SetupProblem } from './progress.mjs';

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export const freePort = () =>
  new Promise((resolve, reject) => {
    const server = net.createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** The server's program, or undefined when the machine has none yet. */
export function redisProgram() {
  const bundled = path.join(openProgramsDirectory, 'valkey-server');
  return onPath(['valkey-server', 'redis-server']) ?? (fs.existsSync(bundled) ? fs.realpathSync(bundled) : undefined);
}

const answers = (port) =>
  new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    const settle = (answer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.on('data', (data) => settle(data.toString().startsWith('+PONG')));
    socket.on('error', () => settle(false));
    socket.setTimeout(500, () => settle(false));
  });

/** Starts a durable Redis (AOF, noeviction) on a loopback port; it goes on after this process. Gives its pid and URL. */
export async function startRedis(folder, port) {
  const program = redisProgram();
  if (program === undefined)
    throw new SetupProblem('No Redis was found.', 'Set REDIS_URL, or install redis-server or valkey-server.');
  const chosen = port ?? (await freePort());
  fs.mkdirSync(folder, { recursive: true });
  const log = fs.openSync(path.join(folder, 'redis.log'), 'a');
  const settings = {
    port: String(chosen),
    bind: '127.0.0.1',
    dir: folder,
    save: '',
    appendonly: 'yes',
    appendfsync: 'everysec',
    'maxmemory-policy': 'noeviction',
    daemonize: 'no',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  const child = spawn(program, args, { stdio: ['ignore', log, log], detached: true });
  fs.closeSync(log);
  let ended;
  child.on('error', (error) => (ended = error.message));
  child.on('exit', (code, signal) => (ended = signal ?? `exit ${code}`));
  for (let tries = 0; tries < 200 && ended === undefined; tries += 1) {
    if (await answers(chosen)) {
      child.unref();
      return { pid: child.pid, port: chosen, url: `redis://127.0.0.1:${chosen}` };
    }
    await pause(50);
  }
  throw new SetupProblem(
    `Redis did not start (${ended ?? 'no answer within 10 s'}); see ${path.join(folder, 'redis.log')}`,
  );
}
