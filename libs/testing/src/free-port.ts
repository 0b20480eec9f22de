import { randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';

export const isFreePort = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => {
      resolve(false);
    });
    probe.listen(port, '127.0.0.1', () => {
      probe.close(() => {
        resolve(true);
      });
    });
  });

/** Where the system takes the ports of outgoing connections from. */
const firstOutgoingPort = (): number => {
  const file = '/proc/sys/net/ipv4/ip_local_port_range';
  const first = existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : 32_768;
  return first > 11_000 ? first : 32_768;
};

/**
 * A port from 10000 up that no outgoing connection is given by chance, so that a server that is killed gets it again. For programs that
 * cannot listen on 0 and name their port.
 */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(10_000, firstOutgoingPort());
    if (await isFreePort(port)) return port;
  }
};
