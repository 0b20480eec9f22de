import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Module, type DynamicModule } from '@nestjs/common';
import type { ProblemDetails, SessionView } from '@fleet/contracts/sessions';
import { openOtlpTracing, type OtlpTracing } from '@fleet/observability';
import { TRACING, type Tracing } from '@fleet/ports';
import { SpanCollector } from '@fleet/testing';
import { GatewayHarness, someReflections } from './gateway-harness';

@Module({})
class GivenTracing {
  static of(tracing: Tracing): DynamicModule {
    return {
      module: GivenTracing,
      global: true,
      providers: [{ provide: TRACING, useValue: tracing }],
      exports: [TRACING],
    };
  }
}

const theirs = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;

describe('the trace of a request', () => {
  let collector: SpanCollector;
  let tracing: OtlpTracing;
  let gateway: GatewayHarness;
  let file = '';
  beforeEach(async () => {
    collector = await SpanCollector.start();
    const onTrouble = (message: string): never => {
      throw new Error(message);
    };
    tracing = await openOtlpTracing({
      service: 'gateway',
      endpoint: collector.endpoint,
      ratio: 1,
      clients: 'linked',
      onTrouble,
    });
    gateway = await GatewayHarness.start({ imports: [GivenTracing.of(tracing)] });
    file = join(gateway.data, 'hush.sca');
    writeFileSync(file, someReflections);
  });
  afterEach(async () => {
    await gateway.stop();
    await tracing.close();
    collector.stop();
  });

  const submission = (): object => ({
    title: 'hush title',
    advice: 'hush, refine twice',
    submitter: 'hush-ada',
    files: [file],
    proposal: 'mx1',
  });
  const submit = async (headers: Record<string, string> = {}): Promise<{ id: string; view: SessionView }> => {
    const answer = await gateway.send('POST', '/v1/sessions', { body: submission(), headers });
    expect(answer.status).toBe(201);
    return { id: String(answer.headers['trace-id']), view: answer.json() as SessionView };
  };

  it('is in its answer and in the record of the session that it creates, which it names only by id', async () => {
    const { id, view } = await submit();
    expect(view.request.traceparent).toMatch(new RegExp(`^00-${id}-[0-9a-f]{16}-01$`));
    await tracing.close();
    const spans = collector.of(id);
    const root = spans.find(({ name }) => name === 'http.request');
    expect(root?.facts).toEqual({
      'http.request.method': 'POST',
      'http.route': '/v1/sessions',
      'http.response.status_code': 201,
    });
    expect(view.request.traceparent).toContain(root?.spanId);
    expect(collector.text).not.toMatch(/hush|mx1/);
  });

  it('is in a problem', async () => {
    const answer = await gateway.send('GET', '/v1/sessions/nobody?limit=ten');
    const problem = answer.json() as ProblemDetails;
    expect(problem.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(answer.headers['trace-id']).toBe(problem.traceId);
    await tracing.close();
    expect(collector.text).not.toContain('nobody');
  });

  it("is not the client's trace, but has a link to it", async () => {
    const { id, view } = await submit({ traceparent: theirs });
    expect(view.request.traceparent).not.toContain('a'.repeat(32));
    await tracing.close();
    expect(collector.of(id).flatMap(({ links }) => links)).toMatchObject([{ traceId: 'a'.repeat(32) }]);
  });

  it('does not affect a repeated request with an idempotency key', async () => {
    const key = { 'idempotency-key': 'once' };
    const first = await submit(key);
    const again = await gateway.send('POST', '/v1/sessions', { body: submission(), headers: key });
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect((again.json() as SessionView).request.traceparent).toBe(first.view.request.traceparent);
  });

  it('is omitted for health probes', async () => {
    expect((await gateway.send('GET', '/health/live')).headers['trace-id']).toBeUndefined();
  });
});
