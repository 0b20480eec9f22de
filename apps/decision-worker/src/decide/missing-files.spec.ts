import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Session } from '@fleet/contracts/sessions';
import { aCycle, aFile, aRequest, aResult, aSession } from '@fleet/testing';
import { missingFiles } from './missing-files';

let top: string;
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'missing-')));
  mkdirSync(join(top, 'data'));
  mkdirSync(join(top, 'work'));
});
afterEach(() => rmSync(top, { recursive: true }));

const there = (...parts: string[]): string => {
  const path = join(top, ...parts);
  writeFileSync(path, 'x');
  return path;
};
const sessionOf = (inputs: readonly string[], outputs: readonly string[]): Session =>
  aSession({
    request: aRequest({ inputs: inputs.map((path) => aFile({ path })) }),
    cycles: [aCycle({ result: aResult({ outputs: outputs.map((path) => aFile({ path, cycle: 1 })) }) })],
  });
const look = async (session: Session): Promise<readonly string[]> => [
  ...(await missingFiles(session, [join(top, 'data'), join(top, 'work')])),
];

it('lists only missing files, submitted or created', async () => {
  const lost = [join(top, 'data', 'lost.mtz'), join(top, 'work', 'c002', 'lost.pdb')];
  const session = sessionOf([there('data', 'a.mtz'), lost[0]!], [there('work', 'a.pdb'), lost[1]!]);
  expect(await look(session)).toEqual(lost);
});

it('lists no files of a root that is unmounted or unreadable', async () => {
  there('work', 'a.pdb');
  const session = sessionOf([join(top, 'data', 'a.mtz'), '/elsewhere/b.mtz'], [join(top, 'work', 'b.pdb')]);
  expect(await look(session)).toEqual([join(top, 'work', 'b.pdb')]);
  rmSync(join(top, 'data'), { recursive: true });
  expect(await look(session)).toEqual([join(top, 'work', 'b.pdb')]);
});

it('resolves a root that is a link', async () => {
  there('data', 'a.mtz');
  symlinkSync(join(top, 'data'), join(top, 'visit'));
  const session = sessionOf([join(top, 'data', 'lost.mtz')], []);
  expect([...(await missingFiles(session, [join(top, 'visit')]))]).toEqual([join(top, 'data', 'lost.mtz')]);
});
