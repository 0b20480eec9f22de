import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Fault } from '@fleet/contracts/faults';
import type { ProblemDetails } from '@fleet/contracts/sessions';
import { incomingFolder } from '@fleet/contracts/uploads';
import { readFolderPattern } from '@fleet/manifest';
import type { IncomingFile, UploadFiles } from '@fleet/ports';
import { UploadFolder } from '@fleet/session-folder';
import { useStarted, useStores } from '@fleet/testing';
import { filesThatFit } from '@fleet/untrusted-files';
import type { GatewayHarness, HarnessOptions } from './gateway-harness';
import { creationHeaders, sha256Of, type UploadClient } from './upload-client';
import { codeOf, data, half, mtz, until, Uploading } from './upload-harness';
import { inspector as realInspector } from '../support/inspector';

const newStore = useStores();

describe('declarations of uploads', () => {
  const at = useStarted('file', () => Uploading.start());

  it.each([
    'a/b.mtz',
    '../b.mtz',
    '..',
    '.',
    '.hidden',
    '',
    'a\\b',
    'a\u0000b',
    'a\nb',
    'a\u202eb',
    'a\u200bb',
    ' a',
    'a ',
    'e\u0301.mtz',
    'é'.repeat(101),
  ])('refuse the name %j', async (filename) => {
    const answer = await at.client.begin({ ...mtz, filename }, 5);
    const { problems } = (await answer.json()) as ProblemDetails;
    expect([answer.status, problems?.[0]?.field]).toEqual([400, 'Upload-Metadata.filename']);
    expect(existsSync(join(at.gateway.data, 'mx1'))).toBe(false);
  });

  it.each([
    [{ 'upload-length': '0' }, 'Upload-Length'],
    [{ 'upload-length': '-1' }, 'Upload-Length'],
    [{ 'upload-length': '1e3' }, 'Upload-Length'],
    [{ 'upload-length': '99999999999999999999' }, 'Upload-Length'],
    [{ 'upload-metadata': '' }, 'Upload-Metadata.filename'],
    [{ 'upload-metadata': 'filename !!' }, 'Upload-Metadata.filename'],
    [{ 'upload-metadata': 'filename /w==' }, 'Upload-Metadata.filename'],
    [{ 'upload-metadata': 'filename YQ==,filename Yg==,proposal bXgx' }, 'Upload-Metadata.filename'],
    [{ 'upload-metadata': 'filename YQ==,proposal Li4=' }, 'Upload-Metadata.proposal'],
    [{ 'upload-metadata': 'filename YQ==,proposal bXgx,sha256 YQ==' }, 'Upload-Metadata.sha256'],
  ])('refuse %j and name it', async (headers, field) => {
    const answer = await at.gateway.send('POST', '/v1/uploads', {
      headers: { ...creationHeaders(mtz, 5), ...headers },
    });
    expect([answer.status, (answer.json() as ProblemDetails).problems?.[0]?.field]).toEqual([400, field]);
  });
});

describe('hostile uploads', () => {
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

  it('follow no link that replaces a folder or a file', async () => {
    await start();
    const outside = join(gateway.root, 'outside');
    mkdirSync(outside);
    symlinkSync(outside, join(gateway.data, 'mx9'));
    expect((await client.begin({ ...mtz, proposal: 'mx9' }, 5)).status).toBe(422);
    symlinkSync(join(outside, 'new.sca'), gateway.file('mx1/x', '').replace(/x$/, 'data.sca'));
    expect(await codeOf(await client.begin(mtz, 5))).toEqual([409, 'upload.exists']);
    const id = await client.begun({ ...mtz, filename: 'b.sca' }, data.length);
    await client.chunk(id, 0, data.subarray(0, half));
    const [name = ''] = incoming();
    const coming = join(gateway.data, 'mx1', incomingFolder, name);
    writeFileSync(join(outside, 'theirs'), data);
    unlinkSync(coming);
    symlinkSync(join(outside, 'theirs'), coming);
    const answer = await client.chunk(id, half, data.subarray(half));
    expect([answer.headers.get('upload-offset'), ...(await codeOf(answer))]).toEqual(['0', 409, 'upload.wrong_offset']);
    expect(await client.offset(id)).toBe(0);
    expect((await client.chunk(id, 0, data)).status).toBe(204);
    expect([readFileSync(whole('b.sca')), readFileSync(join(outside, 'theirs')), readdirSync(outside)]).toEqual([
      data,
      data,
      ['theirs'],
    ]);
  });

  it('write to no file with a second hard link', async () => {
    await start();
    const theirs = gateway.file('mx2/theirs.sca', 'theirs '.repeat(100));
    const id = await client.begun(mtz, data.length);
    await client.chunk(id, 0, data.subarray(0, 10));
    const coming = join(gateway.data, 'mx1', incomingFolder, incoming()[0] ?? '');
    unlinkSync(coming);
    linkSync(theirs, coming);
    const answer = await client.chunk(id, 10, data.subarray(10));
    expect([answer.status, answer.headers.get('upload-offset')]).toEqual([409, '0']);
    expect(readFileSync(theirs, 'utf8')).toBe('theirs '.repeat(100));
  });

  it('report that nothing was removed if the upload changed meanwhile', async () => {
    await start();
    jest.spyOn(gateway.store.uploads, 'remove').mockResolvedValue(false);
    const id = await client.begun(mtz, data.length);
    await client.chunk(id, 0, data.subarray(0, half));
    expect(await codeOf(await client.remove(id))).toEqual([423, 'upload.busy']);
    expect(incoming()).toHaveLength(1);
    expect((await client.chunk(id, half, data.subarray(half))).status).toBe(204);
  });

  it('are not rows of batches before they are complete', async () => {
    await start();
    const id = await client.begun(mtz, data.length);
    await client.chunk(id, 0, data.subarray(0, half));
    const found = async (pattern: string): Promise<number> => {
      const read = readFolderPattern(pattern);
      if ('problems' in read) throw new Error(JSON.stringify(read.problems));
      const rows = filesThatFit(read.pattern, [gateway.data]);
      const paths: string[] = [];
      for await (const entry of rows) paths.push(JSON.stringify(entry));
      return paths.length;
    };
    const [open, named] = [join(gateway.data, 'mx1/*/*.sca'), join(gateway.data, 'mx1', incomingFolder, '*.sca')];
    expect([await found(open), await found(named)]).toEqual([0, 0]);
    await client.chunk(id, half, data.subarray(half));
    expect(await found(join(gateway.data, 'mx1/*.sca'))).toBe(1);
  });

  describe('when something dies or is full', () => {
    /** The folder, where a file behaves otherwise. */
    const folderWith =
      (change: (file: IncomingFile) => Partial<IncomingFile>) =>
      (root: string): UploadFiles => {
        const folder = new UploadFolder(root);
        const open = folder.open.bind(folder);
        folder.open = async (upload) => {
          const file = await open(upload);
          return file === undefined ? undefined : { ...file, ...change(file) };
        };
        return folder;
      };

    it('report a full disk, and continue when space is free', async () => {
      let isFull = true;
      await start({
        uploadFiles: folderWith((file) => ({
          write: (bytes, position) =>
            isFull && position > 0
              ? Promise.reject(new Fault('upload.no_space', 'transient', 'ENOSPC'))
              : file.write(bytes, position),
        })),
      });
      const id = await client.begun(mtz, data.length);
      expect((await client.chunk(id, 0, data.subarray(0, half))).status).toBe(204);
      expect(await codeOf(await client.chunk(id, half, data.subarray(half)))).toEqual([507, 'upload.no_space']);
      expect(await client.offset(id)).toBe(half);
      isFull = false;
      expect((await client.chunk(id, half, data.subarray(half))).status).toBe(204);
      expect(readFileSync(whole())).toEqual(data);
    });

    it('find a file that a crashed writer had already renamed', async () => {
      let dies = true;
      await start({
        uploadFiles: folderWith((file) => ({
          publish: async () => {
            const done = await file.publish();
            if (dies) throw new Error('killed between link and record');
            return done;
          },
        })),
      });
      const id = await client.begun({ ...mtz, sha256: sha256Of(data) }, data.length);
      await client.chunk(id, 0, data.subarray(0, half));
      expect((await client.chunk(id, half, data.subarray(half))).status).toBe(500);
      dies = false;
      expect(await client.view(id)).toMatchObject({ state: 'receiving', offset: half });
      const again = await client.chunk(id, half, data.subarray(half));
      expect([again.status, again.headers.get('upload-offset')]).toEqual([204, String(data.length)]);
      expect(await client.view(id)).toMatchObject({ state: 'complete', sha256: sha256Of(data) });
      expect([readFileSync(whole()), incoming()]).toEqual([data, []]);
    });

    it('never mix the bytes of a stalled writer and its successor', async () => {
      let now = 0;
      let stalled: (() => void) | undefined;
      const standing = new Promise<void>((done) => {
        stalled = done;
      });
      let writes = 0;
      await start({
        store: newStore({ now: () => now }),
        uploadFiles: folderWith((file) => ({
          write: async (bytes, position) => {
            writes += 1;
            if (writes === 2) await standing;
            await file.write(bytes, position);
          },
        })),
      });
      const id = await client.begun({ ...mtz, sha256: sha256Of(data) }, data.length);
      await client.chunk(id, 0, data.subarray(0, half));
      const zombie = client.chunk(id, half, Buffer.alloc(data.length - half, 'X'));
      await until(() => writes === 2);
      now += 30_000;
      expect((await client.chunk(id, half, data.subarray(half, half + 10))).status).toBe(204);
      stalled?.();
      expect((await zombie).status).not.toBe(204);
      const rest = await client.chunk(id, half + 10, data.subarray(half + 10));
      expect(rest.status).toBe(204);
      expect([readFileSync(whole()), incoming()]).toEqual([data, []]);
    });

    it('remove abandoned uploads', async () => {
      await start();
      const [kept, over] = [
        await client.begun(mtz, data.length),
        await client.begun({ ...mtz, filename: 'b.sca' }, data.length),
      ];
      for (const id of [kept, over]) await client.chunk(id, 0, data.subarray(0, half));
      const files = new UploadFolder(gateway.data);
      mkdirSync(join(gateway.root, 'elsewhere'));
      writeFileSync(join(gateway.root, 'elsewhere/stays'), '');
      mkdirSync(join(gateway.data, 'mx3'));
      symlinkSync(join(gateway.root, 'elsewhere'), join(gateway.data, 'mx3', incomingFolder));
      mkdirSync(join(gateway.data, 'mx1', incomingFolder, 'somebody-made-this'));
      symlinkSync('nowhere', join(gateway.data, 'mx2'));
      expect(await files.sweep((id) => Promise.resolve(id === kept))).toEqual({ removed: 1, troubles: [] });
      rmdirSync(join(gateway.data, 'mx1', incomingFolder, 'somebody-made-this'));
      expect(incoming().map((name) => name.split('.')[0])).toEqual([kept]);
      expect(readdirSync(join(gateway.root, 'elsewhere'))).toEqual(['stays']);
      const lost = await client.chunk(over, half, data.subarray(half));
      expect([lost.status, lost.headers.get('upload-offset')]).toEqual([409, '0']);
    });
  });

  it('wait when too many files are being inspected, and accept the last byte again', async () => {
    let isBusy = true;
    const real = realInspector;
    await start({
      inspector: {
        inspect: (...asked) =>
          isBusy
            ? Promise.reject(new Fault('inspection.busy', 'transient', 'Too many files wait.'))
            : real.inspect(...asked),
      },
    });
    const id = await client.begun(mtz, data.length);
    expect(await codeOf(await client.chunk(id, 0, data))).toEqual([503, 'inspection.busy']);
    expect(await client.offset(id)).toBe(data.length - 1);
    isBusy = false;
    expect((await client.chunk(id, data.length - 1, data.subarray(-1))).status).toBe(204);
    expect(readFileSync(whole())).toEqual(data);
  });
});
