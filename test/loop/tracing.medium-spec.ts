import { aNewSession, anEvent, aRequest, SpanCollector } from '@fleet/testing';
import type { IdleWork } from './idle-stages';
import { allEnded, moreMoves, queues, startLoop, type Loop } from './loop-harness';

const work: IdleWork = { cycles: 3, minWorkMs: 20, maxWorkMs: 80, stillRunning: 0, dueInMs: 800 };
const count = 6;

const traceId = (index: number): string => String(index + 1).padStart(32, '0');
const root = (index: number): string => String(index + 1).padStart(16, 'c');

describe('the traces of sessions', () => {
  let loop: Loop;
  let collector: SpanCollector;
  beforeAll(async () => {
    collector = await SpanCollector.start();
    loop = await startLoop();
  });
  afterAll(async () => {
    await loop.end();
    collector.stop();
  });

  const submit = async (index: number): Promise<string> => {
    const request = aRequest({
      title: 'hush title',
      advice: 'hush, refine twice',
      submitter: 'hush-ada',
      // The first is not traced, and the second is not stored.
      ...(index > 0 && { traceparent: `00-${traceId(index)}-${root(index)}-${index === 1 ? '00' : '01'}` }),
    });
    const session = aNewSession({ request });
    await loop.store.records.create(session, [anEvent({ type: 'session_submitted' })], 500);
    return session.id;
  };

  it('are one for each session over all workers, without files, advice and persons', async () => {
    const env = { FLEET_TRACING_ENDPOINT: collector.endpoint };
    const start = () => Promise.all(queues.map((queue) => loop.startHere(queue, work, env)));
    await start();
    const ids = await Promise.all(Array.from({ length: count }, (_, index) => submit(index)));
    await moreMoves(loop.store, count);
    await loop.stopHere();
    await start();
    await allEnded(loop.store, count);
    // Pending spans are sent at the end.
    await loop.stopHere();
    const advanced = collector.spans.filter(({ facts }) => facts['fleet.outcome'] === 'advanced');
    expect(advanced).toHaveLength((count - 2) * 3 * work.cycles);
    for (const span of collector.spans) {
      const index = Number(span.traceId) - 1;
      expect(index).toBeGreaterThan(1);
      expect([span.parentSpanId, span.facts['fleet.session']]).toEqual([root(index), ids[index]]);
      expect(span.name).toMatch(/^step\.(decide|execute|analyse)$/);
    }
    const services = new Set(collector.spans.map(({ service }) => service));
    expect([...services].sort()).toEqual(['idle-analyses', 'idle-decisions', 'idle-executions']);
    expect(collector.text).not.toMatch(/hush|\/data\/|data\.mtz/);
  });
});
