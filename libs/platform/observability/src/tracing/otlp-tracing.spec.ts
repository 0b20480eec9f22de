import { Fault } from '@fleet/contracts/faults';
import { SpanCollector } from '@fleet/testing';
import { FleetLogger } from '../fleet-logger';
import { openOtlpTracing, type OtlpTracing, type TracingSettings } from './otlp-tracing';
import { traceIdOfError } from './span-here';

const theirs = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;

describe('OTLP traces', () => {
  let collector: SpanCollector;
  const troubles: string[] = [];
  const opened: OtlpTracing[] = [];
  beforeEach(async () => {
    collector = await SpanCollector.start();
    troubles.length = 0;
  });
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
    collector.stop();
  });

  const open = async (changes: Partial<TracingSettings> = {}): Promise<OtlpTracing> => {
    const tracing = await openOtlpTracing({
      service: 'gateway',
      endpoint: collector.endpoint,
      ratio: 1,
      clients: 'linked',
      onTrouble: (message) => troubles.push(message),
      ...changes,
    });
    opened.push(tracing);
    return tracing;
  };
  const request = { name: 'http.request', facts: { method: 'POST', address: '/v1/sessions' } } as const;

  it('contain what happens within a span, and what another process does in its context later', async () => {
    const [gateway, worker] = [await open(), await open({ service: 'worker' })];
    const span = gateway.begin(request);
    const context = span.within(() => gateway.here());
    await span.within(() => gateway.during({ name: 'file.inspection' }, gateway.here(), () => Promise.resolve()));
    span.end();
    await worker.during({ name: 'step.decide', facts: { cycle: 2 } }, context, () => Promise.resolve());
    worker.tell({ name: 'run.program' }, context, { from: '2026-01-01T00:00:00Z', to: '2026-01-01T01:00:00Z' });
    await Promise.all([gateway.close(), worker.close()]);
    const root = collector.spans.find(({ name }) => name === 'http.request');
    expect(context).toBe(`00-${String(root?.traceId)}-${String(root?.spanId)}-01`);
    expect(root?.facts).toEqual({ 'http.request.method': 'POST', 'http.route': '/v1/sessions' });
    const below = collector.spans.filter(({ parentSpanId }) => parentSpanId === root?.spanId);
    expect(below.map(({ service, name }) => `${service} ${name}`).sort()).toEqual([
      'gateway file.inspection',
      'worker run.program',
      'worker step.decide',
    ]);
    const run = below.find(({ name }) => name === 'run.program');
    expect(Number(run!.end - run!.start) / 1e9).toBe(3600);
  });

  it('contain nothing without a context, or with an invalid one', async () => {
    const tracing = await open();
    for (const parent of [
      undefined,
      '',
      'x',
      theirs.replace('00-', '01-'),
      `00-${'0'.repeat(32)}-${'b'.repeat(16)}-01`,
    ])
      await tracing.during({ name: 'step.decide' }, parent, (span) => {
        expect(span.traceId).toBeUndefined();
        return Promise.resolve();
      });
    await tracing.close();
    expect(collector.spans).toEqual([]);
  });

  it.each([
    ['linked', false],
    ['trusted', true],
  ] as const)('of clients are %s', async (clients, isTheirs) => {
    const tracing = await open({ clients });
    tracing.begin(request, theirs).end();
    await tracing.close();
    const [span] = collector.spans;
    expect(span?.traceId === 'a'.repeat(32)).toBe(isTheirs);
    expect(span?.links.map(({ traceId }) => traceId)).toEqual(isTheirs ? [] : ['a'.repeat(32)]);
  });

  it('are sampled as a whole: a process that continues an unsampled one sends nothing either', async () => {
    const tracing = await open({ ratio: 0 });
    const span = tracing.begin(request);
    const context = span.within(() => tracing.here());
    span.end();
    expect(context).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
    const worker = await open();
    await worker.during({ name: 'step.decide' }, context, () => Promise.resolve());
    await Promise.all([tracing.close(), worker.close()]);
    expect(collector.spans).toEqual([]);
  });

  it('contain the code of an error, and nothing of an error without code', async () => {
    const tracing = await open();
    const fail = (error: Error) => tracing.during({ name: 'step.decide' }, theirs, () => Promise.reject(error));
    await expect(fail(new Fault('file.missing', 'caller', '/data/secret.mtz is not there'))).rejects.toThrow('secret');
    await expect(fail(new Error('cannot open /data/secret.mtz'))).rejects.toThrow('secret');
    await tracing.close();
    expect(collector.spans.map(({ status, facts }) => [status, facts['error.type']])).toEqual([
      [2, 'file.missing'],
      [2, 'error'],
    ]);
    expect(collector.text).not.toContain('secret');
  });

  it('appear in the log, for lines within them and for later reports of their errors', async () => {
    const tracing = await open();
    const lines: string[] = [];
    const logger = new FleetLogger({ level: 'info', format: 'json' }, 'gateway', (line) => lines.push(line));
    const error = new Error('no');
    const work = (): Promise<never> => {
      logger.log('within');
      return Promise.reject(error);
    };
    await expect(tracing.during({ name: 'step.decide' }, theirs, work)).rejects.toThrow('no');
    logger.log('after');
    expect(lines.map((line) => (JSON.parse(line) as { traceId?: string }).traceId)).toEqual([
      'a'.repeat(32),
      undefined,
    ]);
    expect(traceIdOfError(new Error('told later', { cause: error }))).toBe('a'.repeat(32));
  });

  it('end with their span for what it leaves running', async () => {
    const tracing = await open();
    const span = tracing.begin(request);
    let later: (() => string | undefined) | undefined;
    await span.within(async () => {
      await Promise.resolve();
      later = () => span.within(() => tracing.here());
    });
    span.end();
    expect(later?.()).toBeUndefined();
  });

  it('are lost if the collector rejects them, which is logged once', async () => {
    collector.status = 400;
    const tracing = await open();
    tracing.begin(request).end();
    await tracing.close();
    expect(troubles).toEqual([expect.stringContaining('spans are lost')]);
  });
});
