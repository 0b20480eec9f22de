/** @needs go-programs @needs linux */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionView } from '@fleet/contracts/sessions';
import { Standalone, testData } from '../e2e/standalone';
import { deliver, figure } from './figures';
import { Jaeger } from './jaeger';
import { costOfTracing } from './traced-loop';

/**
 * A real session's trace in a real Jaeger: sent by the services as they are installed, and read back through its query API; and what it
 * costs to send spans.
 * Needs PHENIX_FLEET_TEST_DATA.
 */
const waitMs = 300_000;
const advice = 'please keep quiet about zebra crossings';

describe('traces in a real Jaeger', () => {
  let jaeger: Jaeger;
  let standalone: Standalone;

  const seen = async <T>(what: string, look: () => Promise<T | undefined>): Promise<T> => {
    const until = Date.now() + waitMs;
    for (;;) {
      const found = await look();
      if (found !== undefined) return found;
      if (Date.now() > until) throw new Error(`never seen: ${what}`);
      await sleep(500);
    }
  };

  beforeAll(async () => {
    jaeger = await Jaeger.start();
    await seen('Jaeger', async () => ((await jaeger.isReady()) ? true : undefined));
    standalone = await Standalone.start([testData()], { FLEET_TRACING_ENDPOINT: jaeger.endpoint });
  });

  afterAll(async () => {
    await standalone.stop();
    jaeger.stop();
  });

  const sessionOf = async (id: string): Promise<SessionView> => {
    const { code, stdout, stderr } = await standalone.phx('show', '--json', id);
    if (code !== 0) throw new Error(`phx show: ${stderr}`);
    return JSON.parse(stdout) as SessionView;
  };

  it('hold a session from its request to its last step, each span below one that is there, and no advice, path or person', async () => {
    const id = await standalone.submit(
      ...['--set', 'max_cycles=2', '--advice', advice],
      ...[testData('tiny_5e5z', '5e5z.mtz'), testData('tiny_5e5z', '5e5z.pdb')],
    );
    const session = await seen('its end', async () => {
      const found = await sessionOf(id);
      return found.status === 'running' ? undefined : found;
    });
    const traceId = session.request.traceparent?.split('-')[1] ?? '';
    const runs = session.cycles.flatMap(({ attempts }) => attempts).length;
    const trace = await seen('all of its trace', async () => {
      const found = await jaeger.trace(traceId);
      const done = found?.spans.filter(({ operationName }) => operationName === 'step.analyse').length ?? 0;
      return done >= session.cycles.length ? found : undefined;
    });
    const { spans, processes, text } = trace;
    const names = new Map<string, number>();
    for (const { operationName } of spans) names.set(operationName, (names.get(operationName) ?? 0) + 1);
    process.stderr.write(`${traceId}: ${[...names].map(([name, count]) => `${String(count)} ${name}`).join(', ')}\n`);
    const known = new Set(spans.map(({ spanID }) => spanID));
    const isBelow = (span: (typeof spans)[number]): boolean =>
      span.references.some(({ refType, spanID }) => refType === 'CHILD_OF' && known.has(spanID));
    const privateWords = [
      'zebra',
      testData(),
      '5e5z.mtz',
      session.folder,
      session.request.title,
      session.request.submitter,
    ];
    deliver([
      figure('services in one trace', new Set(Object.values(processes).map((one) => one.serviceName)).size, '>=', 4),
      figure('spans that belong to none of the others', spans.filter((span) => !isBelow(span)).length, '<=', 1),
      figure('programs that ran without a span', runs - (names.get('run.program') ?? 0), '<=', 0),
      figure(
        'words of advice, files or people',
        privateWords.filter((word) => word !== '' && text.includes(word)).length,
        '<=',
        0,
      ),
      figure(
        'CPU of workers whose steps do nothing, with spans over without',
        await costOfTracing(jaeger.endpoint),
        '<=',
        1.3,
      ),
    ]);
  });
});
