// Ports of 127.0.0.1 for what a standalone installation starts.
import { randomInt } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';

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
