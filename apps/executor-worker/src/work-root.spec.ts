import fs from 'node:fs';
import { useFolder } from '@fleet/testing';
import { usableWorkRoot } from './work-root';

const failing = (code: string) => () => {
  throw Object.assign(new Error(code), { code });
};

describe('the work root', () => {
  const workRoot = useFolder();
  const warnings: string[] = [];
  const warn = (message: string): void => {
    warnings.push(message);
  };
  beforeEach(() => {
    warnings.length = 0;
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('is used by its resolved path', () => {
    const link = `${workRoot}-link`;
    fs.symlinkSync(workRoot, link);
    expect(usableWorkRoot({ workRoot: link }, warn)).toBe(workRoot);
    fs.rmSync(link);
    expect(warnings).toEqual([]);
  });

  it('is rejected, with its variable and what is allowed, if attempts could not be claimed', () => {
    jest.spyOn(fs, 'linkSync').mockImplementationOnce(failing('EOPNOTSUPP'));
    expect(() => usableWorkRoot({ workRoot }, warn)).toThrow(/FLEET_WORK_ROOT.*no hard links.*ext4/);
  });

  it('is accepted with a warning if the root itself is not writable', () => {
    jest.spyOn(fs, 'writeFileSync').mockImplementationOnce(failing('EACCES'));
    expect(usableWorkRoot({ workRoot }, warn)).toBe(workRoot);
    expect(warnings).toEqual([`whether ${workRoot} has hard links could not be tested: EACCES`]);
  });
});
