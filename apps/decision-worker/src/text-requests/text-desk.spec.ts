import { Fault } from '@fleet/contracts/faults';
import type { StoredAssessment } from '@fleet/contracts/results';
import type { Session } from '@fleet/contracts/sessions';
import type { Numbered } from '@fleet/ports';
import { aNewSession, aRequest, eventually, ManualClock, someSettings, useStores } from '@fleet/testing';
import { TextDesk } from './text-desk';
import { textWriter } from './text-writer';

const newStore = useStores();

const made = { status: 'running', version: 1, failed: 'model_budget', why: 'used up' } as const;
type Assess = (session: Session, number: number) => Promise<Omit<StoredAssessment, 'writtenAt'>>;

describe('the desk that answers requests for texts', () => {
  let desk: TextDesk | undefined;
  afterEach(() => desk?.beforeApplicationShutdown());

  const setUp = async (assess: Assess | undefined, settings = {}) => {
    const clock = new ManualClock();
    const store = newStore(clock);
    const { textRequests: requests } = store;
    const storedTexts: Numbered<StoredAssessment>[] = [];
    const logged: unknown[] = [];
    const session = aNewSession({ request: aRequest({ settings: someSettings(settings) }) });
    await store.records.create(session, [], 1000);
    const assessments = {
      newest: () => Promise.resolve(storedTexts.at(-1)),
      keep: (_session: Session, one: Numbered<StoredAssessment>) => Promise.resolve(void storedTexts.push(one)),
    };
    const log = { error: (line: unknown) => void logged.push(line), warn: (line: unknown) => void logged.push(line) };
    const start = (): void => {
      const writer =
        assess &&
        textWriter<StoredAssessment>({
          writings: assessments,
          clock,
          make: (one, { number }) => assess(one, number),
          unmade: ({ status, version }, _request, failed) => ({ status, version, ...failed }),
        });
      desk = new TextDesk({ requests, records: store.records, log, assessments: writer, logSummaries: undefined });
      desk.onApplicationBootstrap();
    };
    const done = jest.spyOn(requests, 'done');
    const answered = () => eventually('an answer', () => done.mock.calls.length > 0);
    return { clock, store, requests, assessments, storedTexts, logged, id: session.id, start, answered };
  };

  it("stores a model's text for a request, and leaves the session unchanged", async () => {
    const { store, requests, storedTexts, id, start, answered } = await setUp(() => Promise.resolve(made));
    await requests.ask({ session: id }, 3);
    start();
    await answered();
    expect(storedTexts).toEqual([{ number: 3, kept: { ...made, writtenAt: expect.any(String) as string } }]);
    expect(await store.records.loadHead(id)).toMatchObject({ version: 1, stage: 'deciding' });
  });

  it.each([
    ['the site has no model for it', undefined, {}],
    ['the session lets the rules decide alone', () => Promise.reject(new Error('asked')), { use_rules_only: true }],
  ] as const)('calls no model if %s', async (_what, assess, settings) => {
    const { requests, storedTexts, logged, id, start, answered } = await setUp(assess, settings);
    await requests.ask({ session: id }, 1);
    start();
    await answered();
    expect([storedTexts, logged]).toEqual([[], []]);
  });

  it('calls no model again after a worker has died that had stored the answer', async () => {
    const { requests, assessments, storedTexts, id, start, answered } = await setUp(() =>
      Promise.reject(new Error('asked')),
    );
    const request = await requests.ask({ session: id }, 1);
    await assessments.keep({} as Session, { number: 1, kept: { ...made, writtenAt: '' } });
    expect(request).toBeDefined();
    start();
    await answered();
    expect(storedTexts).toHaveLength(1);
  });

  it('reports a bug with the session, and retries after an unreachable store', async () => {
    const broken = await setUp(() => Promise.reject(new TypeError('a bug')));
    await broken.requests.ask({ session: broken.id }, 1);
    broken.start();
    await broken.answered();
    expect(broken.storedTexts).toMatchObject([{ kept: { failed: 'error' } }]);
    await desk?.beforeApplicationShutdown();

    let tries = 0;
    const away = await setUp(() => {
      tries += 1;
      if (tries === 1) return Promise.reject(new Fault('store.unreachable', 'transient', 'it is away'));
      return Promise.resolve(made);
    });
    await away.requests.ask({ session: away.id }, 1);
    away.start();
    await eventually('a first try', () => away.logged.length === 1);
    expect(await away.requests.find({ session: away.id })).toBeDefined();
    away.clock.forward(30_000);
    await away.answered();
    expect([tries, away.storedTexts.length]).toEqual([2, 1]);
  });

  it('lets another worker continue at once when it receives a stop request', async () => {
    let tries = 0;
    const ending = await setUp(() => {
      tries += 1;
      return tries === 1
        ? Promise.reject(new Fault('decision.handed_back', 'transient', 'the worker ends'))
        : Promise.resolve(made);
    });
    await ending.requests.ask({ session: ending.id }, 1);
    ending.start();
    await ending.answered();
    expect([tries, ending.storedTexts.length]).toEqual([2, 1]);
  });

  it('does not pay for a second answer if the first one cannot be stored', async () => {
    let tries = 0;
    const full = await setUp(() => {
      tries += 1;
      return Promise.resolve(made);
    });
    full.assessments.keep = () => Promise.reject(new Fault('storage.full', 'transient', 'no room'));
    await full.requests.ask({ session: full.id }, 1);
    full.start();
    await full.answered();
    expect([tries, full.logged]).toEqual([
      1,
      [expect.objectContaining({ message: 'a text by a model could not be stored' })],
    ]);
  });
});
