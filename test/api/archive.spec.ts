import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { dirname, join } from 'node:path';
import { aCycle, aFile, aNewSession, anId, aResult } from '@fleet/testing';
import { GatewayHarness } from './gateway-harness';

/** Unpacks with Python's own reader; what it holds lies in the folder then. */
const unpack = (archive: string, into: string): void => {
  execFileSync('python3', ['-m', 'zipfile', '--extract', archive, into]);
};

describe('the archive of a session', () => {
  let gateway: GatewayHarness;
  let url: string;
  const best: string[] = [];
  beforeAll(async () => {
    const bestFiles = (): never[] =>
      best.map((path) => ({ category: 'model', stage: 'refined', score: 1, file: { path } })) as never[];
    gateway = await GatewayHarness.start({ knowledge: { bestFiles } });
    url = await gateway.listen();
  });
  afterAll(() => gateway.stop());

  const made = async (files: Readonly<Record<string, string | Buffer>>): Promise<{ id: string; folder: string }> => {
    const id = anId();
    const folder = join(gateway.work, 'mx1', id);
    const outputs = Object.entries(files).map(([name, content]) => {
      const path = join(folder, 'c001-refine/a1', name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
      return aFile({ path, size: content.length, cycle: 1, program: 'phenix.refine', facts: { format: 'pdb' } });
    });
    await gateway.store.records.create(aNewSession({ id, folder }), [], 1000);
    await gateway.store.records.advance({
      sessionId: id,
      fromVersion: 1,
      to: { ended: { reason: 'converged', detail: 'done', afterCycle: 1 } },
      cycleRecord: aCycle({ result: aResult({ outputs }) }),
      events: [],
      dueInMs: 1,
    });
    return { id, folder };
  };

  const fetched = async (id: string, query = ''): Promise<string> => {
    const answer = await fetch(`${url}/v1/sessions/${id}/files.zip${query}`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip']);
    const [file, folder] = [join(gateway.root, `${id}.zip`), join(gateway.root, `${id}-unpacked`)];
    writeFileSync(file, Buffer.from(await answer.arrayBuffer()));
    rmSync(folder, { recursive: true, force: true });
    unpack(file, folder);
    return folder;
  };

  it('are downloaded as one archive with valid checksums', async () => {
    const { id, folder } = await made({ 'model.pdb': 'ATOM', 'sub dir/größe.mtz': 'x'.repeat(200_000) });
    const unpacked = await fetched(id, '?which=all');
    expect(readFileSync(join(unpacked, 'summary.md'), 'utf8')).toBe('# a dataset\n');
    expect(readFileSync(join(unpacked, 'c001-refine/sub dir/größe.mtz'), 'utf8')).toHaveLength(200_000);
    const checked = execFileSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: unpacked, encoding: 'utf8' });
    expect(checked.trimEnd().split('\n')).toEqual([
      'summary.md: OK',
      'c001-refine/model.pdb: OK',
      'c001-refine/sub dir/größe.mtz: OK',
    ]);
    best.push(join(folder, 'c001-refine/a1/model.pdb'));
    const sums = readFileSync(join(await fetched(id), 'SHA256SUMS'), 'utf8');
    expect(sums.match(/\S+$/gm)).toEqual(['summary.md', 'c001-refine/model.pdb']);
  });

  it('list files that are missing or replaced by a link', async () => {
    const { id, folder } = await made({ 'gone.pdb': 'x', 'link.pdb': 'x', 'there.pdb': 'x' });
    rmSync(join(folder, 'c001-refine/a1/gone.pdb'));
    rmSync(join(folder, 'c001-refine/a1/link.pdb'));
    symlinkSync('/etc/passwd', join(folder, 'c001-refine/a1/link.pdb'));
    const unpacked = await fetched(id, '?which=all');
    expect(readFileSync(join(unpacked, 'MISSING.txt'), 'utf8')).toContain(
      '"c001-refine/gone.pdb"\n"c001-refine/link.pdb"\n',
    );
    expect(readFileSync(join(unpacked, 'SHA256SUMS'), 'utf8')).not.toContain('link.pdb');
  });

  it('are no longer read after the client disconnects', async () => {
    const { id } = await made({ 'large.mtz': randomBytes(16 * 1024 * 1024) });
    const address = `${url}/v1/sessions/${id}/files.zip?which=all`;
    const leave = (): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const request = get(address, (response) => {
          response.once('data', () => {
            response.destroy();
            resolve(response.statusCode);
          });
        });
        request.on('error', reject);
      });
    // More than are written at once: were those that were left still written, the last would be refused for ever.
    for (let left = 0; left < 12;) if ((await leave()) === 200) left += 1;
  });

  it('are refused in another archive format', async () => {
    const { id } = await made({ 'a.pdb': 'x' });
    expect((await gateway.get(`/v1/sessions/${id}/files.zip?which=some`)).status).toBe(400);
    expect((await gateway.get(`/v1/sessions/${anId()}/files.zip`)).status).toBe(404);
  });

  it('support range requests', async () => {
    const { id } = await made({ 'a.pdb': '0123456789' });
    const file = `/v1/sessions/${id}/files/1/a.pdb`;
    const whole = await gateway.get(file);
    expect([whole.status, whole.headers['content-length'], whole.headers['accept-ranges']]).toEqual([
      200,
      '10',
      'bytes',
    ]);
    const part = await gateway.get(file, { range: 'bytes=2-4' });
    expect([part.status, part.text, part.headers['content-range']]).toEqual([206, '234', 'bytes 2-4/10']);
    const tag = String(whole.headers['etag']);
    expect((await gateway.get(file, { range: 'bytes=8-', 'if-range': tag })).text).toBe('89');
    expect((await gateway.get(file, { range: 'bytes=8-', 'if-range': '"another"' })).text).toBe('0123456789');
    const outside = await gateway.get(file, { range: 'bytes=10-' });
    expect([outside.status, outside.headers['content-range']]).toEqual([416, 'bytes */10']);
  });
});
