import { mkdirSync, symlinkSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as fc from 'fast-check';
import type { BatchRow, BatchView, RowsAdded } from '@fleet/contracts/batches';
import type { ProblemDetails } from '@fleet/contracts/sessions';
import { useStarted } from '@fleet/testing';
import { BatchClient } from '../api/batch-client';
import { GatewayHarness } from '../api/gateway-harness';

describe('a hostile manifest', () => {
  const gateway = useStarted('test', () => GatewayHarness.start());

  const batches = new BatchClient(gateway);
  const { send } = batches;
  const make = async (body: object = {}): Promise<string> => (await batches.made(body)).id;
  const lookedAt = async (id: string): Promise<readonly BatchRow[]> => {
    await batches.lookedAt(id);
    return batches.rowsOf(id);
  };
  const codesOf = (rows: readonly BatchRow[]): readonly unknown[] => rows.map(({ problems }) => problems?.[0]?.code);

  it('gets no file outside the data folders, with any spelling of the path', async () => {
    mkdirSync(join(gateway.data, 'visit'));
    symlinkSync('/etc', join(gateway.data, 'visit/out'));
    symlinkSync('/etc/passwd', join(gateway.data, 'passwd.mtz'));
    const id = await make({ base: gateway.data });
    const paths = [
      '/etc/passwd',
      '../../../../etc/passwd',
      'visit/out/passwd',
      'passwd.mtz',
      'x\0.mtz',
      '~/x',
      `${'a/'.repeat(3000)}b`,
    ];
    const rows = paths.map((path) => JSON.stringify({ files: [path] }));
    await send(id, rows.join('\n'), 'application/x-ndjson');
    const looked = await lookedAt(id);
    expect(looked.map(({ state }) => state)).toEqual(paths.map(() => 'rejected'));
    const outside = 'file.outside_root';
    expect(codesOf(looked)).toEqual([
      outside,
      outside,
      outside,
      outside,
      'file.bad_name',
      'file.missing',
      'file.bad_name',
    ]);
    expect(JSON.stringify(looked)).not.toContain('root:x');
  });

  it('lists no folder outside the data folders', async () => {
    mkdirSync(join(gateway.data, 'visit'));
    symlinkSync('/etc', join(gateway.data, 'visit/out'));
    for (const pattern of [`${gateway.data}/{a}/{b}/{c}`, `${gateway.data}/visit/out/{a}`]) {
      const { rows } = await batches.made({ folder: { pattern } });
      expect([pattern, rows]).toEqual([pattern, 0]);
    }
    for (const pattern of ['/{a}', '/etc/../etc/{a}', `${gateway.data}/../{a}`, `${gateway.data}/{a}{b}*{c}`])
      expect((await gateway.send('POST', '/v1/batches', { body: { folder: { pattern } } })).status).toBe(422);
  });

  it('with arbitrary values has each row rejected with its problem, never with an internal error', async () => {
    const members = fc.dictionary(
      fc.constantFrom(
        'files',
        'title',
        'advice',
        'settings',
        'directives',
        'variables',
        'proposal',
        'input_directory',
        '__proto__',
        'x',
      ),
      fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.string({ unit: 'binary' })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(members, { minLength: 1, maxLength: 20 }), async (rows) => {
        const id = await make({ defaults: { title: '{x}' } });
        await send(id, rows.map((row) => JSON.stringify(row)).join('\n'), 'application/x-ndjson');
        const looked = await lookedAt(id);
        expect(looked.every(({ state }) => state === 'rejected')).toBe(true);
        expect(codesOf(looked)).not.toContain('service.error');
        expect(codesOf(looked)).not.toContain(undefined);
      }),
      { numRuns: 30 },
    );
  });

  it('of arbitrary text never causes an internal error', async () => {
    const id = await make({ start: 'never' });
    const type = fc.constantFrom('text/csv', 'application/yaml', 'application/x-ndjson');
    const piece = fc.constantFrom(
      '"',
      ',',
      ';',
      '\n',
      '\r',
      '- ',
      '{',
      '}',
      ':',
      '&a',
      '*a',
      '!!js',
      '\u0000',
      'files',
      '\ufeff',
      ' ',
      'x',
    );
    const text = fc.array(fc.oneof(piece, fc.string({ unit: 'binary', maxLength: 5 })), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(text, type, async (pieces, media) => {
        expect([200, 422]).toContain((await send(id, `files,title\n${pieces.join('')}`, media)).status);
        expect([200, 422]).toContain((await send(id, pieces.join(''), media)).status);
      }),
      { numRuns: 150 },
    );
    expect(codesOf(await lookedAt(id))).not.toContain('service.error');
  });

  it('with a row of ten megabytes loses only that row', async () => {
    gateway.file('x1.sca');
    const id = await make({ base: gateway.data });
    const added = await send(id, `files,title\nx1.sca,${'x'.repeat(10_000_000)}\nx1.sca,right\n`, 'text/csv');
    expect(added.json() as RowsAdded).toMatchObject({ added: 2, unreadable: 1 });
    expect((await lookedAt(id)).map(({ state }) => state)).toEqual(['rejected', 'accepted']);
  });

  it('from a page of another origin is not read', async () => {
    const id = await make();
    const headers = { 'content-type': 'text/csv', origin: 'https://evil.example' };
    const answer = await gateway.send('POST', `/v1/batches/${id}/rows`, { raw: 'files\n/a\n', headers });
    expect([answer.status, (answer.json() as ProblemDetails).code]).toEqual([403, 'request.foreign_page']);
  });

  it('that breaks off keeps the received rows', async () => {
    const id = await make({ start: 'never' });
    const url = await gateway.listen();
    const sending = request(`${url}/v1/batches/${id}/rows`, {
      method: 'POST',
      headers: { 'content-type': 'text/csv' },
    });
    const lost = new Promise((closed) => sending.once('error', closed));
    const rows = Array.from({ length: 600 }, (_, row) => `/nowhere/${String(row)}.mtz\n`);
    sending.write(`files\n${rows.join('')}`);
    const count = async (): Promise<number> => ((await gateway.get(`/v1/batches/${id}`)).json() as BatchView).rows;
    while ((await count()) < 500) await pause(5);
    sending.destroy(new Error('the laptop was closed'));
    await lost;
    expect(await count()).toBeGreaterThanOrEqual(500);
    expect((await send(id, `files\n${rows.join('')}`, 'text/csv')).json() as RowsAdded).toMatchObject({ rows: 600 });
  });
});
