import { attemptName } from '@fleet/contracts/runs';
import { claimantOf } from '@fleet/fair-shares';
import { ORPHAN_REGISTER, RUN_SLOTS, type OrphanRegister, type RunSlots } from '@fleet/ports';
import { aLaunchPolicy, anId, aSharedRun } from '@fleet/testing';
import { Queue, UnrecoverableError, Worker, type Job } from 'bullmq';
import type { ShownBrowser } from './shown-browser';
import { hostile } from './shown-sessions';

const prefix = 'fleet:bq';

const connectionOf = ({ gateway }: ShownBrowser) => ({ url: gateway.servers.redis.url, maxRetriesPerRequest: null });

export const openQueue = (shown: ShownBrowser, name: string): Queue =>
  new Queue(name, { connection: connectionOf(shown), prefix });

/** A job as the service adds it. */
export const addJob = (to: Queue, job: string, sessionId: string, sessionVersion: number, more = {}): Promise<Job> =>
  to.add(
    job,
    { version: 1, sessionId, sessionVersion },
    { jobId: `${sessionId}-v${String(sessionVersion)}-w0`, ...more },
  );

/** The step of a session that is fresh, which fails for good. */
export const failStep = async (shown: ShownBrowser, sessionId: string, attempts?: number): Promise<void> => {
  const queue = openQueue(shown, 'decisions');
  const version = (await shown.store.records.loadHead(sessionId))?.version ?? 0;
  await addJob(queue, 'decide', sessionId, version, { attempts });
  await queue.close();
  const failure = new UnrecoverableError(`knowledge.invalid: ${hostile}`);
  // Its own names the folder in which this test lies, and pictures of it are in the docs.
  failure.stack = `${String(failure)}\n    at checkRules (dist/knowledge/check-rules.js:41:11)\n    at decide (dist/decide/decide-step.js:27:9)`;
  const worker = new Worker('decisions', undefined, { connection: connectionOf(shown), prefix });
  const job = await worker.getNextJob('test');
  await job.moveToFailed(failure, 'test');
  await worker.close();
};

const orphan = (name: string) => ({
  name,
  owner: { sessionId: anId(), cycle: 1, attempt: 1, proposal: 'mx1234' },
  createdAt: new Date(Date.now() - 3_600_000).toISOString(),
  reason: `there is no such session ${hostile}`,
});

/** Three programs that run, two that wait, and three runs of no session, two of which were seen more than once. */
export const fillOperations = async (shown: ShownBrowser): Promise<void> => {
  const slots = shown.gateway.app.get<RunSlots>(RUN_SLOTS, { strict: false });
  for (let number = 1; number <= 3; number += 1) {
    const { id } = await shown.sessions.running(`Lysozyme ${String(number)}`, '');
    const run = aSharedRun(attemptName(id, 5, 1), { proposal: 'mx1234', nodes: number === 3 ? 'gpu' : 'cpu' });
    await slots.running(claimantOf(run, aLaunchPolicy()));
  }
  for (const title of ['Trypsin, benzamidine', 'Proteinase K'])
    await slots.waiting(
      aSharedRun(attemptName(await shown.sessions.waiting(title), 2, 1), { proposal: 'mx77' }),
      'no_room',
    );
  const register = shown.gateway.app.get<OrphanRegister>(ORPHAN_REGISTER, { strict: false });
  const seen = [orphan('phenix-refine-7f3a'), orphan('phenix-phaser-09bc')];
  await register.saw(seen, 0);
  await register.saw(seen, 0);
  await register.saw([...seen, orphan('phenix-xtriage-11d0')], 0);
};
