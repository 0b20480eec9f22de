import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Session } from '@fleet/contracts/sessions';
import { aFile, aRequest, aSession } from '@fleet/testing';
import { openUnder, pinOf } from '@fleet/untrusted-files';
import { changedFiles } from './changed-files';

let top: string;
let path: string;
let session: Session;
beforeEach(async () => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'changed-')));
  mkdirSync(join(top, 'data', 'visit'), { recursive: true });
  path = join(top, 'data', 'visit', 'data.mtz');
  writeFileSync(path, 'accepted');
  const file = await openUnder(join(top, 'data'), path);
  const pin = await pinOf(file);
  await file.close();
  session = aSession({ request: aRequest({ inputs: [aFile({ path, pin })] }) });
});
afterEach(() => rmSync(top, { recursive: true }));
const look = async (): Promise<readonly (readonly [string, string])[]> => [
  ...(await changedFiles(session, [join(top, 'data')])),
];

it('ignores files that are unchanged, or were rewritten with the same content', async () => {
  expect(await look()).toEqual([]);
  rmSync(path);
  writeFileSync(path, 'accepted');
  utimesSync(path, 1, 1);
  expect(await look()).toEqual([]);
});

it.each([
  ['another length', (): void => writeFileSync(path, 'changed a lot'), 'it had 8 bytes and now has 13'],
  ['another content', (): void => writeFileSync(path, 'replaced'), 'its content has changed, at the same length'],
  [
    'a link in its place',
    (): void => {
      renameSync(path, `${path}.away`);
      symlinkSync('/etc/hostname', path);
    },
    'it has been replaced by a symbolic link since it was accepted',
  ],
  [
    'a link in place of its folder',
    (): void => {
      mkdirSync(join(top, 'elsewhere'));
      writeFileSync(join(top, 'elsewhere', 'data.mtz'), 'secret');
      renameSync(join(top, 'data', 'visit'), join(top, 'data', 'before'));
      symlinkSync(join(top, 'elsewhere'), join(top, 'data', 'visit'));
    },
    'a folder on the way to it has been replaced by a symbolic link or a file since it was accepted',
  ],
])('reports how a file changed after it was accepted: %s', async (_, change, told) => {
  change();
  expect(await look()).toEqual([[path, told]]);
});

it('ignores files that are missing, unpinned, or outside the roots', async () => {
  rmSync(path);
  expect(await look()).toEqual([]);
  expect((await changedFiles(session, [join(top, 'nowhere')])).size).toBe(0);
  const unpinned = aSession({ request: aRequest({ inputs: [aFile({ path: join(top, 'data', 'visit') })] }) });
  expect((await changedFiles(unpinned, [join(top, 'data')])).size).toBe(0);
});
