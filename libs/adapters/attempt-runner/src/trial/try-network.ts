import { lookup } from 'node:dns/promises';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { errnoOf } from '@fleet/contracts/faults';
import type { Call, CallMade, TrialRecord } from './trial-record';

/** Time limit of a call and of a look-up, in milliseconds. */
const patienceMs = 3_000;
/** Time limit for Redis to answer a PING, in milliseconds. */
const answerMs = 1_000;

/** Opens a connection and sends PING without credentials. */
export const tryCall = (call: Call): Promise<CallMade> =>
  new Promise((resolve) => {
    const socket = connect({ host: call.host, port: call.port });
    let result: CallMade['result'] = 'closed';
    let received = '';
    const end = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ ...call, result, obeys: received.startsWith('+PONG') });
    };
    let timer = setTimeout(end, patienceMs);
    socket.on('connect', () => {
      result = 'connected';
      socket.write('PING\r\n');
      clearTimeout(timer);
      timer = setTimeout(end, answerMs);
    });
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1').slice(0, 100);
      end();
    });
    socket.on('error', (error) => {
      if (result === 'closed' && errnoOf(error) === 'ECONNREFUSED') result = 'refused';
      end();
    });
    socket.on('close', end);
  });

/** Resolves a host name. */
export const tryName = async (name: string): Promise<TrialRecord['names'][number]> => {
  const found = lookup(name).then(
    ({ address }) => address,
    () => undefined,
  );
  const address = await Promise.race([found, sleep(patienceMs, undefined, { ref: false })]);
  return { name, ...(address !== undefined && { address }) };
};
