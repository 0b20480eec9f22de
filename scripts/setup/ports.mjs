// Ports of 127.0.0.1 for the servers that a standalone installation starts.
import { randomInt } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';

/** Whether a port of 127.0.0.1 is free: no process listens on it or uses it for a connection. */
export const isFreePort = (port) =>
  new Promise((resolve) => {
    const server = net.createServer();
    server.on('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

/** The lowest port that the system gives to outgoing connections; a listener below it keeps its port. */
function firstOutgoingPort() {
  const file = '/proc/sys/net/ipv4/ip_local_port_range';
  const first = fs.existsSync(file) ? Number.parseInt(fs.readFileSync(file, 'utf8'), 10) : 32768;
  return first > 11_000 ? first : 32768;
}

/** A free port from 10000 up that the system gives to no outgoing connection, so that a restarted listener finds it free again. */
export async function freePort() {
  const end = firstOutgoingPort();
  for (;;) {
    const port = randomInt(10_000, end);
    if (await isFreePort(port)) return port;
  }
}
