import { Queues } from '@fleet/contracts';
import { aNewSession, anEvent, aRequest, SpanCollector } from '@fleet/testing';
import { startIdleProcess } from './idle-process';
import { KeptProcess } from './kept-process';
import { countOf, eventually, startLoop, type Loop } from './loop-harness';

const work = { cycles: 3, minWorkMs: 20, maxWorkMs: 80, stillRunning: 0, dueInMs: 800 };
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
      // Of the first nobody traces anything, and the second is not kept.
      ...(index > 0 && { traceparent: `00-${traceId(index)}-${root(index)}-${index === 1 ? '00' : '01'}` }),
    });
    const session = aNewSession({ request });
    await loop.store.records.create(session, [anEvent({ type: 'session_submitted' })], 500);
    return session.id;
  };

  it('are one each, whoever dies and goes on, and say nothing of files, advice and people', async () => {
    const env = { ...loop.env, FLEET_TRACING_ENDPOINT: collector.endpoint, FLEET_LOG_LEVEL: 'debug' };
    const kept = Object.values(Queues).map((queue) => new KeptProcess(() => startIdleProcess(queue, work, env)));
    try {
      await Promise.all(kept.map(({ ready }) => ready));
      const ids: string[] = [];
      for (let index = 0; index < count; index += 1) ids.push(await submit(index));
      await kept[0]?.kill();
      await kept[1]?.kill();
      await eventually(
        () => countOf(loop.store, 'completed'),
        (done) => done === count,
      );
      // What a process has not sent when it is killed is lost; the last step of each session is sent within a second.
      await eventually(
        () => Promise.resolve(collector.spans.filter(({ name }) => name === 'step.analyse').length),
        (seen) => seen >= count - 2,
      );
      for (const span of collector.spans) {
        const index = Number(span.traceId) - 1;
        expect(index).toBeGreaterThan(1);
        expect([span.parentSpanId, span.facts['fleet.session']]).toEqual([root(index), ids[index]]);
        expect(span.name).toMatch(/^step\.(decide|execute|analyse)$/);
      }
      const services = new Set(collector.spans.map(({ service }) => service));
      expect([...services].sort()).toEqual(['idle-analyses', 'idle-decisions', 'idle-executions']);
      expect(collector.text).not.toMatch(/hush|\/data\/|data\.mtz/);
    } finally {
      await Promise.all(kept.map((one) => one.stop()));
    }
  });
});
