import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '@fleet/contracts/faults';
import type { StoredAssessment } from '@fleet/contracts/results';
import { aSession, useFolder } from '@fleet/testing';
import { AssessmentFolder, LogSummaryFolder } from './writing-folder';
import { keyOf } from './session-signature';
import { SignedSessionFiles } from './signed-session-files';

const key = keyOf(Buffer.alloc(32, 7));
const made: StoredAssessment = {
  status: 'running',
  version: 7,
  writtenAt: '2026-11-24T02:00:00.000Z',
  parts: [{ part: 'next_steps', title: 'Next steps', text: 'R-free 0.12.', unsupported: [{ text: '0.12', at: 7 }] }],
  target: 'site',
  model: 'qwen3',
  hash: 'ab',
};
const failed: StoredAssessment = {
  status: 'running',
  version: 8,
  writtenAt: '2026-11-24T03:00:00.000Z',
  failed: 'model_budget',
  why: 'nothing is left',
};

describe('AssessmentFolder', () => {
  const root = useFolder();
  let warnings: string[];
  const base = aSession();
  const session = () => ({ ...base, folder: join(root, base.request.proposal, base.id) });
  const folder = () => new AssessmentFolder(root, { keys: [key], onWarning: (message) => void warnings.push(message) });
  const file = (name: string): string => join(session().folder, 'assessments', name);
  beforeEach(() => {
    mkdirSync(session().folder, { recursive: true });
    warnings = [];
  });

  it('returns the newest, and keeps existing ones', async () => {
    expect(await folder().newest(session())).toBeUndefined();
    await folder().keep(session(), { number: 9, kept: made });
    await folder().keep(session(), { number: 10, kept: failed });
    await folder().keep(session(), { number: 10, kept: made });
    expect(await folder().newest(session())).toEqual({ number: 10, kept: failed });
    expect(warnings).toEqual([]);
  });

  it.each([
    ['one that somebody changed', (text: string) => text.replace('nothing', 'much'), /altered/],
    ['one that is none', () => '{"assessment":{"status":"fine"}}', /not a valid assessment/],
    ['one of another number', () => readFileSync(file('001.json'), 'utf8'), /altered/],
  ] as const)('returns the previous one instead of %s', async (_what, change, why) => {
    await folder().keep(session(), { number: 1, kept: made });
    await folder().keep(session(), { number: 2, kept: failed });
    writeFileSync(file('002.json'), change(readFileSync(file('002.json'), 'utf8')));
    expect(await folder().newest(session())).toEqual({ number: 1, kept: made });
    expect(warnings.join()).toMatch(why);
  });

  it('keeps the texts of each cycle separate', async () => {
    const logs = new LogSummaryFolder(root, { keys: [key] });
    const written = { cycle: 3, writtenAt: made.writtenAt, failed: 'model_auth', why: 'no key' } as const;
    await logs.keep(session(), { number: 2, kept: written }, 3);
    expect(await logs.newest(session(), 3)).toEqual({ number: 2, kept: written });
    expect([await logs.newest(session(), 2), await logs.newest(session())]).toEqual([undefined, undefined]);
    expect([await logs.next(session(), 3), await logs.next(session(), 30)]).toEqual([3, 1]);
    expect(readFileSync(join(session().folder, 'log-summaries/c003-002.json'), 'utf8')).toContain('signature');
  });

  it('follows no link out of the folder', async () => {
    const elsewhere = join(root, 'elsewhere');
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, '001.json'), '{}');
    symlinkSync(elsewhere, join(session().folder, 'assessments'));
    expect(await folder().newest(session())).toBeUndefined();
    await expect(folder().keep(session(), { number: 2, kept: made })).rejects.toThrow();
    expect(warnings.join()).toMatch(/its folder is none/);
  });

  it('keeps numbers above those of foreign files, and never accepts these', async () => {
    await folder().keep(session(), { number: 1, kept: made });
    writeFileSync(file('041.json'), 'garbage');
    expect(await folder().next(session())).toBe(42);
    await expect(folder().keep(session(), { number: 41, kept: made })).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringMatching(/041\.json blocks it/) as string,
    });
    expect(await folder().newest(session())).toEqual({ number: 1, kept: made });
    for (let number = 100; number < 125; number += 1) writeFileSync(file(`${String(number)}.json`), 'garbage');
    warnings = [];
    expect(await folder().newest(session())).toBeUndefined();
    expect(warnings).toHaveLength(20);
    writeFileSync(file('999999.json'), 'garbage');
    await expect(folder().next(session())).rejects.toMatchObject({ kind: 'conflict' });
  });

  it('has none if the folder is a link to itself', async () => {
    symlinkSync('assessments', join(session().folder, 'assessments'));
    expect(await folder().newest(session())).toBeUndefined();
    expect(await folder().next(session())).toBe(1);
    expect(warnings.join()).toMatch(/ELOOP/);
    await expect(folder().keep(session(), { number: 1, kept: made })).rejects.toThrow();
  });

  it.each(['EACCES', 'EIO'])('has none without access to the folder, but reports a failing disk: %s', async (code) => {
    await folder().keep(session(), { number: 1, kept: made });
    const trouble = new Fault('storage.unreadable', 'transient', 'no', {
      cause: Object.assign(new Error(code), { code }),
    });
    const find = jest.spyOn(SignedSessionFiles.prototype, 'find').mockRejectedValue(trouble);
    try {
      const newest = folder().newest(session());
      if (code === 'EIO') await expect(newest).rejects.toBe(trouble);
      else expect([await newest, warnings]).toEqual([undefined, ['no']]);
    } finally {
      find.mockRestore();
    }
  });
});
