import { randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';

export const isFreePort = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => {
      probe.close(() => resolve(true));
    });
  });

/** The first port of the system's range for outgoing connections. */
const firstOutgoingPort = (): number => {
  const file = '/proc/sys/net/ipv4/ip_local_port_range';
  const first = existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : 32_768;
  return first > 11_000 ? first : 32_768;
};

/**
 * A port from 10000 up, outside the range of outgoing connections, so that a killed server gets it again. For programs
 * that cannot listen on 0 and report their port.
 */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(10_000, firstOutgoingPort());
    if (await isFreePort(port)) return port;
  }
};
