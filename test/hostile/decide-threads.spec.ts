import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { aCatalogue, aCycle, aRequest, aSession, dataFile, modelFile, projectRules } from '@fleet/testing';
import { createGateway } from '../../apps/gateway/src/create-gateway';
import { DecisionPool, type DecisionPoolOptions } from '../../apps/gateway/src/routes/decisions/decision-pool';
import { DECISION_DESK } from '../../apps/gateway/src/routes/decisions/decisions.controller';
import { decisionsAlone } from '../api/decisions-alone';

const root = join(__dirname, '../..');
const small = { api_version: '2.0', files: ['/d/data.mtz', '/d/seq.fa'], cycle_number: 1 };
/** As much as is allowed. */
const heavy = {
  ...small,
  files: Array.from({ length: 5000 }, (_, index) => `/d/f${index}.pdb`),
  history: Array.from({ length: 1000 }, (_, cycle) => ({
    cycle: cycle + 1,
    program: 'phenix.refine',
    command: 'phenix.refine /d/f1.pdb',
    result: 'SUCCESS',
    output_files: Array.from({ length: 10 }, (_2, index) => `/d/o${cycle}_${index}.pdb`),
  })),
};

const poolOf = (change: Partial<DecisionPoolOptions>): DecisionPool =>
  new DecisionPool({
    knowledge: join(root, 'knowledge'),
    threads: 1,
    maxWaiting: 64,
    longestWaitMs: 60_000,
    timeoutMs: 60_000,
    execArgv: ['--import', join(root, 'test/support/typescript.mjs')],
    ...change,
  });

const inPool = async (
  change: Partial<DecisionPoolOptions>,
  work: (pool: DecisionPool) => Promise<void>,
): Promise<void> => {
  const pool = poolOf(change);
  try {
    await work(pool);
  } finally {
    await pool.onApplicationShutdown();
  }
};

describe('decisions in threads', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('make the decisions of a session again', () =>
    inPool({}, async (pool) => {
      const ruleBook = projectRules();
      const session = { ...aSession({ request: aRequest({ inputs: [dataFile(), modelFile()] }) }), cycles: [aCycle()] };
      const replayed = await pool.replay(session, aCatalogue());
      expect(replayed).toMatchObject({ id: session.id, knowledge: ruleBook.digest, counts: { differs: 1 } });
    }));

  it(
    'leave the event loop to everybody else',
    () =>
      inPool({}, async (pool) => {
        expect((await pool.answer(small)).decision.program).toBe('phenix.xtriage');
        let turns = 0;
        const turning = setInterval(() => (turns += 1), 1);
        const { error } = await pool.answer(heavy).finally(() => clearInterval(turning));
        expect(error).toBeNull();
        // On the loop, the decision would leave it two or three turns.
        expect(turns).toBeGreaterThan(20);
      }),
    60_000,
  );

  it(
    'end when they take too long, and the next one has a thread again',
    () =>
      inPool({ timeoutMs: 40 }, async (pool) => {
        // However little of a processor the machine gives it.
        let user = 0;
        jest
          .spyOn(Worker.prototype, 'cpuUsage')
          .mockImplementation(() => Promise.resolve({ user: (user += 60_000_000), system: 0 }));
        for (let round = 0; round < 2; round += 1)
          await expect(pool.answer(heavy)).rejects.toMatchObject({ code: 'decision.too_costly' });
      }),
    60_000,
  );

  it(
    'are refused when too many wait, and the others are answered',
    () =>
      inPool({ maxWaiting: 1 }, async (pool) => {
        const answers = Array.from({ length: 6 }, () => pool.answer(small));
        const settled = await Promise.allSettled(answers);
        const refused = settled.filter((one) => one.status === 'rejected');
        expect(refused).toHaveLength(4);
        for (const { reason } of refused) expect(reason).toMatchObject({ code: 'decisions.busy' });
      }),
    60_000,
  );

  it(
    'do not wait for ever for a thread',
    () =>
      inPool({ longestWaitMs: 1 }, async (pool) => {
        await expect(pool.answer(small)).rejects.toMatchObject({ code: 'decisions.busy' });
      }),
    60_000,
  );

  it(
    'answer a request that no thread can take with the cause, not with silence',
    () =>
      inPool({ knowledge: '/nowhere' }, async (pool) => {
        await expect(pool.answer(small)).rejects.toThrow();
      }),
    60_000,
  );
});

describe('POST /api/v2/decide over threads', () => {
  let app: NestFastifyApplication;
  beforeAll(async () => {
    const desk = { provide: DECISION_DESK, useFactory: () => poolOf({ maxWaiting: 0 }) };
    const server = { maxBodyBytes: 5_000_000, logger: false as const, drainMs: 1000 };
    app = await createGateway(decisionsAlone(desk), server);
    await app.init();
    await app.getHttpAdapter().getInstance().ready();
  }, 60_000);
  afterAll(() => app.close());

  it('answers 503 with Retry-After when the threads are busy', async () => {
    const post = () => app.inject({ method: 'POST', url: '/api/v2/decide', payload: small });
    const [first, second] = await Promise.all([post(), post()]);
    expect(first.statusCode).toBe(200);
    expect(second.statusCode).toBe(503);
    expect(second.headers['retry-after']).toBe('2');
    expect(second.json()).toMatchObject({ code: 'decisions.busy', status: 503 });
  }, 60_000);
});
