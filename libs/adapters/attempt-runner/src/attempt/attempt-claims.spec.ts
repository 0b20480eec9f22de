import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { useFolder } from '@fleet/testing';
import { claimForCancel, claimRun } from './attempt-claims';

describe('a run', () => {
  const sessionFolder = useFolder();
  beforeEach(() => {
    mkdirSync(join(sessionFolder, 'a1.running', '.fleet'), { recursive: true });
  });
  const run = { name: 'r', specHash: 'h', startedAt: '2026-01-01T00:00:00.000Z' };
  const running = (): string => join(sessionFolder, 'a1.running');

  it('is claimed once, by the first caller', () => {
    expect(claimRun(running(), run)).toMatchObject({ claimedBy: 'supervisor', name: 'r' });
    expect(claimRun(running(), run)).toBeUndefined();
    expect(claimForCancel({ name: 'r', sessionFolder, attemptFolder: 'a1' }, 0)).toBeUndefined();
  });

  it('cannot be claimed once its folder is published', () => {
    renameSync(running(), join(sessionFolder, 'a1'));
    expect(claimRun(running(), run)).toBeUndefined();
  });

  it('is not claimed when the claim cannot be written', () => {
    rmSync(join(running(), '.fleet'), { recursive: true });
    expect(() => claimRun(running(), run)).toThrow(/ENOENT/);
  });
});
