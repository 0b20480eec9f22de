import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '@fleet/contracts/faults';
import type { UploadView } from '@fleet/contracts/uploads';
import type { UploadFiles } from '@fleet/ports';
import { UploadFolder } from '@fleet/session-folder';
import { useFolder, useStarted } from '@fleet/testing';
import { aModel, someReflections } from '../api/gateway-harness';
import { uploadRules } from '../api/upload-harness';
import { CliHarness } from './cli-harness';

describe('phx upload', () => {
  const home = useFolder('file');
  let failures = 0;

  /** The folder, which cannot be written to for a while. */
  const failing = (root: string): UploadFiles => {
    const folder = new UploadFolder(root);
    const open = folder.open.bind(folder);
    folder.open = (upload) => {
      failures -= 1;
      if (failures < 0) return open(upload);
      return Promise.reject(new Fault('storage.unwritable', 'transient', 'the file server is away'));
    };
    return folder;
  };

  const cli = useStarted('file', () => CliHarness.start({ options: { uploads: uploadRules }, uploadFiles: failing }));
  beforeAll(() => {
    writeFileSync(join(home, 'data.sca'), someReflections);
    writeFileSync(join(home, 'model.pdb'), aModel);
    writeFileSync(join(home, 'notes.bin'), Buffer.from([0, 1, 2, 255, 254]));
    writeFileSync(join(home, 'empty.pdb'), '');
  });

  const upload = (proposal: string, ...names: readonly string[]): ReturnType<CliHarness['phx']> =>
    cli.phx(['upload', ...names.map((name) => join(home, name)), '--proposal', proposal]);
  const there = (proposal: string, name: string): string => join(cli.gateway.data, proposal, name);

  it('sends files and prints their paths', async () => {
    const { code, out } = await upload('mx1', 'data.sca', 'model.pdb');
    expect([code, out]).toEqual([0, `${there('mx1', 'data.sca')}\n${there('mx1', 'model.pdb')}\n`]);
    expect(readFileSync(there('mx1', 'model.pdb'), 'utf8')).toBe(aModel);
    expect((await cli.phx(['submit', there('mx1', 'data.sca'), '--proposal', 'mx1'])).code).toBe(0);
    const again = await upload('mx1', 'data.sca');
    expect([again.code, again.err]).toEqual([3, expect.stringContaining('upload.exists')]);
  });

  it('resumes by itself after an outage of the service', async () => {
    failures = 2;
    const { code, out } = await cli.phx(['--json', 'upload', join(home, 'model.pdb'), '--proposal', 'mx2']);
    expect([code, failures]).toEqual([0, -1]);
    expect(JSON.parse(out) as UploadView[]).toMatchObject([{ state: 'complete', path: there('mx2', 'model.pdb') }]);
  });

  it.each([
    ['notes.bin', 3, 'upload.bad_file'],
    ['empty.pdb', 2, 'is empty'],
    ['absent.pdb', 2, 'does not exist'],
    ['', 2, 'is not a file'],
  ])('reports the problem of %j', async (name, code, told) => {
    const ran = await upload('mx3', name);
    expect([ran.code, ran.err]).toEqual([code, expect.stringContaining(told)]);
  });
});
