import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { MeView } from '@fleet/contracts/access';
import type { ProblemDetails } from '@fleet/contracts/sessions';
import { incomingFolder } from '@fleet/contracts/uploads';
import { PlainAuditLog } from './audit-log.fake';
import { aModel, GatewayHarness, type HarnessOptions } from './gateway-harness';
import { creationHeaders, sha256Of, type UploadClient } from './upload-client';
import { codeOf, data, half, mtz, until, Uploading, uploadRules } from './upload-harness';

describe('uploads', () => {
  let at: Uploading;
  let gateway: GatewayHarness;
  let client: UploadClient;

  const start = async (options: HarnessOptions = {}): Promise<void> => {
    at = await Uploading.start(options);
    ({ gateway, client } = at);
  };
  const incoming = (): readonly string[] => at.incoming();
  const whole = (name?: string): string => at.whole(name);
  afterEach(async () => {
    await gateway.stop();
  });

  it('take a file in chunks, and it can be submitted', async () => {
    await start();
    const id = await client.begun({ ...mtz, sha256: sha256Of(data) }, data.length);
    expect(await client.offset(id)).toBe(0);
    const first = await client.chunk(id, 0, data.subarray(0, half));
    expect([first.status, first.headers.get('upload-offset')]).toEqual([204, String(half)]);
    expect(await client.offset(id)).toBe(half);
    expect(await client.view(id)).toMatchObject({ state: 'receiving', offset: half, size: data.length });
    expect(existsSync(whole())).toBe(false);
    const last = await client.chunk(id, half, data.subarray(half));
    expect([last.status, last.headers.get('upload-offset')]).toEqual([204, String(data.length)]);
    expect(await client.view(id)).toMatchObject({
      state: 'complete',
      path: whole(),
      sha256: sha256Of(data),
      offset: data.length,
    });
    expect(readFileSync(whole())).toEqual(data);
    expect([incoming(), statSync(whole()).nlink]).toEqual([[], 1]);
    expect((await gateway.submit({ files: [whole()], proposal: 'mx1' })).status).toBe(201);
  });

  it('announce the supported protocol, and whether the site has uploads', async () => {
    await start();
    const options = await gateway.send('OPTIONS', '/v1/uploads');
    expect(options.headers).toMatchObject({
      'tus-version': '1.0.0',
      'tus-extension': 'creation,termination',
      'tus-max-size': '1000000',
    });
    expect(((await gateway.get('/v1/me')).json() as MeView).uploads).toEqual(uploadRules);
    const old = { ...creationHeaders(mtz, 5), 'tus-resumable': '0.2.2' };
    const refused = await gateway.send('POST', '/v1/uploads', { headers: old });
    expect([refused.status, refused.headers['tus-version']]).toEqual([412, '1.0.0']);
  });

  it('are off without a configured folder', async () => {
    gateway = await GatewayHarness.start();
    expect((await gateway.get('/v1/me')).json()).not.toHaveProperty('uploads');
    const answer = await gateway.send('POST', '/v1/uploads', { headers: creationHeaders(mtz, 5) });
    expect([answer.status, (answer.json() as ProblemDetails).code]).toEqual([404, 'upload.off']);
  });

  it('report the expected offset for a chunk at another offset', async () => {
    await start();
    const id = await client.begun(mtz, data.length);
    await client.chunk(id, 0, data.subarray(0, half));
    for (const offset of [0, half + 1, data.length]) {
      const answer = await client.chunk(id, offset, data.subarray(offset));
      expect([answer.headers.get('upload-offset'), ...(await codeOf(answer))]).toEqual([
        String(half),
        409,
        'upload.wrong_offset',
      ]);
    }
    expect(await client.offset(id)).toBe(half);
  });

  it('keep the received part of a chunk whose connection ended, and continue there', async () => {
    await start();
    const id = await client.begun({ ...mtz, sha256: sha256Of(data) }, data.length);
    const { cut } = await client.part(id, 0, data.subarray(0, half), data.length);
    await until(
      () =>
        incoming().length === 1 &&
        statSync(join(gateway.data, 'mx1', incomingFolder, incoming()[0] ?? '')).size === half,
    );
    const meanwhile = await client.chunk(id, 0, data);
    expect(await codeOf(meanwhile)).toEqual([423, 'upload.busy']);
    expect(await codeOf(await client.remove(id))).toEqual([423, 'upload.busy']);
    cut();
    await until(async () => (await client.offset(id)) === half);
    await until(async () => (await client.chunk(id, half, data.subarray(half))).status === 204);
    expect(readFileSync(whole())).toEqual(data);
  });

  it('disconnect a stalled sender', async () => {
    await start({ options: { uploadIdleMs: 50 } });
    const id = await client.begun(mtz, data.length);
    await client.part(id, 0, data.subarray(0, half), data.length);
    await until(async () => (await client.offset(id)) === half);
    await until(async () => (await client.chunk(id, half, data.subarray(half))).status === 204);
  });

  it('accept no more bytes than declared', async () => {
    await start();
    const id = await client.begun(mtz, half);
    expect(await codeOf(await client.chunk(id, 0, data))).toEqual([413, 'upload.too_long']);
    const stream = new ReadableStream({
      start: (out) => {
        out.enqueue(new Uint8Array(data));
        out.close();
      },
    });
    const headers = {
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    };
    const unsaid = { method: 'PATCH', headers, body: stream, duplex: 'half' } as RequestInit;
    expect(await codeOf(await fetch(`${client.url}/v1/uploads/${id}`, unsaid))).toEqual([413, 'upload.too_long']);
    expect(await client.view(id)).toMatchObject({ state: 'receiving', offset: 0 });
  });

  it('discard a file with another checksum or of an unknown format', async () => {
    await start();
    const other = await client.begun({ ...mtz, sha256: sha256Of('other') }, data.length);
    expect(await codeOf(await client.chunk(other, 0, data))).toEqual([422, 'upload.bad_checksum']);
    const words = await client.begun({ ...mtz, filename: 'notes.txt' }, 5);
    expect(await codeOf(await client.chunk(words, 0, Buffer.from([0, 1, 2, 255, 254])))).toEqual([
      422,
      'upload.bad_file',
    ]);
    for (const id of [other, words]) {
      expect(await client.view(id)).toMatchObject({ state: 'refused', problem: expect.any(String) as string });
      expect((await client.chunk(id, 0, data)).status).toBe(410);
      expect(await client.offset(id)).toBeNaN();
    }
    expect([readdirSync(join(gateway.data, 'mx1')), incoming()]).toEqual([[incomingFolder], []]);
  });

  it('overwrite no file, also one that was created meanwhile', async () => {
    await start();
    const id = await client.begun(mtz, data.length);
    mkdirSync(dirname(whole()));
    writeFileSync(whole(), 'mine');
    expect(await codeOf(await client.begin(mtz, 5))).toEqual([409, 'upload.exists']);
    expect(await codeOf(await client.chunk(id, 0, data))).toEqual([409, 'upload.exists']);
    expect([readFileSync(whole(), 'utf8'), incoming()]).toEqual(['mine', []]);
  });

  it('are invisible until they are complete', async () => {
    await start();
    const id = await client.begun(mtz, data.length);
    await client.chunk(id, 0, data.subarray(0, half));
    const folder = join(gateway.data, 'mx1', incomingFolder);
    const list = async (path: string): Promise<unknown> => {
      const answer = await gateway.get(`/v1/folders?path=${encodeURIComponent(path)}`);
      return answer.status === 200 ? (answer.json() as { entries: unknown }).entries : answer.status;
    };
    expect([await list(join(gateway.data, 'mx1')), await list(folder)]).toEqual([[], 400]);
    writeFileSync(join(folder, 'model.pdb'), aModel);
    const submitted = await gateway.submit({ files: [join(folder, 'model.pdb')] });
    expect([submitted.status, submitted.text]).toEqual([422, expect.stringContaining('file.outside_root')]);
  });

  it('count against the daily limit of their proposal', async () => {
    await start({ options: { uploads: { ...uploadRules, maxDayBytes: 100, maxFileBytes: 60 } } });
    expect(await codeOf(await client.begin(mtz, 61))).toEqual([413, 'upload.too_large']);
    const first = await client.begun(mtz, 60);
    expect(await codeOf(await client.begin({ ...mtz, filename: 'b.sca' }, 41))).toEqual([409, 'upload.day_full']);
    await client.begun({ ...mtz, proposal: 'mx2' }, 60);
    expect((await client.remove(first)).status).toBe(204);
    await client.begun({ ...mtz, filename: 'b.sca' }, 60);
  });

  it('can be removed while they are incomplete, but not once complete', async () => {
    const audit = new PlainAuditLog();
    await start({ audit: () => audit });
    const gone = await client.begun(mtz, data.length);
    await client.chunk(gone, 0, data.subarray(0, half));
    expect((await client.remove(gone)).status).toBe(204);
    expect([await client.offset(gone), incoming()]).toEqual([Number.NaN, []]);
    const completeId = await client.begun(mtz, data.length);
    await client.chunk(completeId, 0, data.subarray(0, half));
    await client.chunk(completeId, half, data.subarray(half));
    expect(await codeOf(await client.remove(completeId))).toEqual([409, 'upload.complete']);
    expect(existsSync(whole())).toBe(true);
    const { entries } = await audit.list({}, 100);
    const declaration = { proposal: 'mx1', name: 'data.sca', size: data.length };
    expect(
      [...entries]
        .reverse()
        .map(({ action, object, outcome, before, after }) => ({ action, object, outcome, what: before ?? after })),
    ).toEqual([
      { action: 'upload.write', object: `upload ${gone}`, outcome: 'done', what: declaration },
      { action: 'upload.write', object: `upload ${gone}`, outcome: 'done', what: { ...declaration, offset: half } },
      { action: 'upload.write', object: `upload ${completeId}`, outcome: 'done', what: declaration },
      {
        action: 'upload.append',
        object: `upload ${completeId}`,
        outcome: 'done',
        what: { ...declaration, sha256: sha256Of(data) },
      },
      { action: 'upload.write', object: `upload ${completeId}`, outcome: 'refused', what: undefined },
    ]);
  });

  it('cannot be created or sent by a page of another origin', async () => {
    await start();
    const headers = { ...creationHeaders(mtz, 5), origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect((await gateway.send('POST', '/v1/uploads', { headers })).status).toBe(403);
  });
});
