import { join } from 'node:path';
import type { NamedRoute } from '@fleet/contracts/route';
import { routes } from '@fleet/contracts/routes';
import { Ajv } from 'ajv';
import { aCycle, aFile, aMetric, aNewSession, anEvent, anId, aResult, aSharedRun, useStarted } from '@fleet/testing';
import { GatewayHarness } from './gateway-harness';

interface Described {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly responses: Readonly<Record<string, unknown>> }>>>
  >;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

describe('the OpenAPI document', () => {
  let document: Described;
  let id: string;
  const ajv = new Ajv({ strict: false, allErrors: true, formats: { 'date-time': true } });
  const gateway = useStarted('file', () => GatewayHarness.start());
  beforeAll(async () => {
    document = (await gateway.get('/docs-json')).json() as Described;
    ajv.addSchema({ $id: 'api', ...document });
    id = anId();
    await gateway.store.records.create(
      aNewSession({ id, folder: join(gateway.work, id) }),
      [anEvent({ type: 'session_submitted' })],
      1000,
    );
    const result = aResult({ outputs: [aFile({ path: join(gateway.work, id, 'c001-refine/a1/x.pdb'), cycle: 1 })] });
    const cycleRecord = aCycle({ result: { ...result, metrics: [{ ...aMetric('r_free', 0.2), unit: 'Å' }] } });
    const to = { ended: { reason: 'converged', detail: 'done', afterCycle: 1 } } as const;
    await gateway.store.records.advance({
      sessionId: id,
      fromVersion: 1,
      to,
      cycleRecord,
      events: [anEvent()],
      dueInMs: 1,
    });
    const owner = { sessionId: id, cycle: 1, attempt: 1, proposal: 'mx1' };
    const createdAt = '2026-11-21T08:00:00.000Z';
    await gateway.store.orphans.saw([{ name: 'a', owner, createdAt, reason: 'it is not known' }], 0);
    await gateway.store.slots.waiting(aSharedRun('a'), 'in_line');
    await gateway.store.catalogues.publish({ backend: 'local', probedAt: '2026-11-21T08:00:00.000Z', programs: [] });
  });

  const conforms = (schema: string, value: unknown): void => {
    const validate = ajv.getSchema(`api#/components/schemas/${schema}`);
    if (validate === undefined) throw new Error(`there is no schema ${schema}`);
    expect(validate(value) === true ? [] : validate.errors).toEqual([]);
  };

  it.each([
    ['Session', ''],
    ['SessionHead', '/status'],
    ['Results', '/results'],
  ])('%s is what GET id%s answers', async (schema, path) => {
    conforms(schema, (await gateway.get(`/v1/sessions/${id}${path}`)).json());
  });

  it.each([
    ['SessionList', '/v1/sessions'],
    ['AdminStatus', '/v1/admin/status'],
    ['Launch', '/v1/admin/launch'],
    ['ApiKeys', '/v1/admin/keys'],
    ['Me', '/v1/me'],
    ['Webhooks', '/v1/webhooks'],
    ['Orphans', '/v1/admin/orphans'],
    ['DeadSteps', '/v1/admin/steps'],
    ['Checkup', '/v1/admin/doctor'],
    ['Programs', '/v1/programs'],
    ['MetricDefinitions', '/v1/metrics'],
    ['SettingDefinitions', '/v1/settings'],
    ['SessionUpdatePage', '/v1/events?after=0'],
    ['SessionCounts', '/v1/counts'],
    ['Statistics', '/v1/statistics'],
    ['Wall', '/v1/wall'],
    ['Folder', '/v1/folders'],
    ['Ok', '/v1/ping'],
    ['Problem', '/v1/nothing'],
    ['Problem', '/v1/sessions?limit=x'],
  ])('%s is what GET %s answers', async (schema, url) => {
    conforms(schema, (await gateway.get(url, { accept: 'application/json' })).json());
  });

  it('describes events and submissions correctly', async () => {
    conforms('EventList', (await gateway.get(`/v1/sessions/${id}/events`, { accept: 'application/json' })).json());
    const body = { files: [gateway.file('a.sca')], settings: { max_cycles: 3 } };
    conforms('Submission', body);
    conforms('SubmissionReading', (await gateway.send('POST', '/v1/submissions/preview', { body })).json());
    conforms('Session', (await gateway.submit(body)).json());
    conforms('LaunchRequest', { mode: 'paused', reason: 'x' });
    conforms('OrphanRemoval', (await gateway.send('POST', '/v1/admin/orphans/removal')).json());
    conforms('Recovery', (await gateway.send('POST', '/v1/recoveries')).json());
  });

  it('has every declared route, each with problem+json for its errors', () => {
    const declared = Object.values<Readonly<Record<string, NamedRoute>>>(routes).flatMap((group) =>
      Object.values(group),
    );
    const served = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(served.sort()).toEqual(declared.map(({ method, path }) => `${method} ${path}`).sort());
    for (const operations of Object.values(document.paths)) {
      for (const [method, { responses }] of Object.entries(operations)) {
        const errors = ['get', 'head', 'options'].includes(method)
          ? [400, 401, 403, 500, 503]
          : [400, 401, 403, 413, 415, 500, 503];
        for (const status of errors) expect(JSON.stringify(responses[status])).toContain('application/problem+json');
      }
    }
  });

  it('has no dangling reference', () => {
    const references = [...JSON.stringify(document).matchAll(/#\/components\/schemas\/(\w+)/g)].map(
      ([, name]) => name ?? '',
    );
    expect(references.filter((name) => !(name in document.components.schemas))).toEqual([]);
  });

  it('is served as an HTML page', async () => {
    const page = await gateway.get('/docs');
    expect([page.status, page.text.includes('swagger-ui')]).toEqual([200, true]);
    expect(page.headers['content-security-policy']).toContain("script-src 'self'");
  });
});
