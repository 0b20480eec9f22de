import type { ProblemDetails } from '@fleet/contracts/sessions';
import { useStarted } from '@fleet/testing';
import { BatchClient } from './batch-client';
import { GatewayHarness, type JsonAnswer } from './gateway-harness';

describe('batch endpoints', () => {
  const gateway = useStarted('test', () => GatewayHarness.start());

  const { made: make, send, shown } = new BatchClient(gateway);
  const problemsOf = (answer: JsonAnswer): readonly string[] =>
    ((answer.json() as ProblemDetails).problems ?? []).map(({ field, reason }) => `${field}: ${reason}`);

  it('refuse an unknown batch, an invalid manifest and a caller without a key', async () => {
    const { id } = await make();
    const wrong = await gateway.send('POST', '/v1/batches', {
      body: {
        start: 'soon',
        rows: 'many',
        defaults: { files: [3], submitter: 'x' },
        folder: { pattern: 'a' },
        mode: 1,
      },
    });
    expect([
      wrong.status,
      problemsOf(wrong)
        .map((line) => line.split(':')[0])
        .sort(),
    ]).toEqual([
      422,
      ['defaults.files[0]', 'defaults.submitter', 'folder.pattern', 'folder.pattern', 'mode', 'rows', 'start'],
    ]);
    const header = await send(id, 'file,titel\n/a,b\n');
    expect([header.status, (header.json() as ProblemDetails).code, problemsOf(header)]).toEqual([
      422,
      'manifest.invalid',
      [
        'columns: "file" is not a column of a manifest; did you mean "files"?',
        'columns: "titel" is not a column of a manifest; did you mean "title"?',
      ],
    ]);
    expect((await send(id, 'files\n/a\n', 'text/plain')).status).toBe(415);
    expect((await send(id, '{}', 'application/json')).status).toBe(415);
    for (const path of ['/v1/sessions', `/v1/batches/${id}/cancel`, '/v1/batches']) {
      const answer = await gateway.send('POST', path, { raw: 'files\n/a\n', headers: { 'content-type': 'text/csv' } });
      expect([path, answer.status]).toEqual([path, 415]);
    }
    for (const path of ['nobody', '00000000000000000000000000', `${id}x`])
      expect((await gateway.get(`/v1/batches/${path}`)).status).toBe(404);
    expect((await send('00000000000000000000000000', 'files\n/a\n')).status).toBe(404);
    expect((await gateway.get(`/v1/batches/${id}/rows?limit=0&state=x&page=2`)).status).toBe(400);
  });

  it('accept at most ten thousand rows, and report the stored rows', async () => {
    const { id } = await make({ start: 'never' });
    await gateway.send('POST', `/v1/batches/${id}/pause`);
    const lines = Array.from({ length: 10_002 }, (_, index) => `/data/${String(index)}.mtz`);
    const full = await send(id, `files\n${lines.join('\n')}\n`);
    expect([full.status, (full.json() as ProblemDetails).code]).toEqual([422, 'batch.full']);
    expect((full.json() as ProblemDetails).detail).toContain('10000 rows before it were added');
    expect(await shown(id)).toMatchObject({ rows: 10_000, states: { waiting: 10_000 } });
  });
});
