import { lookup } from 'node:dns/promises';
import type { Finding } from '@fleet/contracts/administration';
import { errnoOf } from '@fleet/contracts/faults';
import { finding, levelOf, medianOf, type Advice } from '@fleet/ports';

/** Number of requests for the median latency. */
const questions = 21;

/** Whether a server's host name resolves. */
export const nameFinding = async (check: string, name: string, advice: Advice): Promise<Finding> => {
  const start = performance.now();
  try {
    const { address } = await lookup(name);
    const ms = performance.now() - start;
    const level = levelOf(ms, { warning: 200, error: 2_000 });
    return finding(check, level, `${name} is ${address}, found in ${ms.toFixed(0)} ms.`, advice);
  } catch (error) {
    return finding(check, 'error', `${name} is not found: ${errnoOf(error) ?? String(error)}.`, advice);
  }
};

interface TimedServer {
  /** Prefix of the findings, for example `redis`. */
  readonly area: string;
  /** Display name. */
  readonly name: string;
  readonly latency: Advice;
  /** Why its clock matters. */
  readonly clockWhy: string;
}

/**
 * A server's latency, and the difference between its clock and this machine's.
 * @param time queries its time, in milliseconds since the epoch
 */
export const timeFindings = async (
  { area, name, latency: slow, clockWhy }: TimedServer,
  time: () => Promise<number>,
): Promise<readonly Finding[]> => {
  const tookMs: number[] = [];
  const aheadMs: number[] = [];
  for (let round = 0; round < questions; round += 1) {
    const [start, began] = [performance.now(), Date.now()];
    const measured = await time();
    const took = performance.now() - start;
    tookMs.push(took);
    aheadMs.push(began + took / 2 - measured);
  }
  const latency = medianOf(tookMs);
  const apart = Math.abs(medianOf(aheadMs));
  return [
    finding(
      `${area}.latency`,
      levelOf(latency, { warning: 5, error: 100 }),
      `An answer of ${name} takes ${latency.toFixed(2)} ms.`,
      slow,
    ),
    finding(
      `${area}.clock`,
      levelOf(apart, { warning: 2_000, error: 60_000 }),
      `The clock of this machine and that of ${name} differ by ${(apart / 1000).toFixed(1)} s.`,
      { why: clockWhy, remedy: 'Let all machines keep their time by one server (chrony, systemd-timesyncd).' },
    ),
  ];
};
