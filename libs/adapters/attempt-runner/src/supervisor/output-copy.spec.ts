import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { useFolder } from '@fleet/testing';
import { OutputCopy } from './output-copy';

describe('the copy of a log', () => {
  const folder = useFolder();
  let log: number;
  let target: number;
  let logged: jest.SpyInstance;
  beforeEach(() => {
    jest.useFakeTimers();
    logged = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    log = openSync(join(folder, 'program.log'), 'a+');
    target = openSync(join(folder, 'copy'), 'w');
  });
  afterEach(() => {
    jest.useRealTimers();
    logged.mockRestore();
    closeSync(target);
  });

  it('continues with new output when a program truncates its log', async () => {
    const copy = new OutputCopy(log, target);
    copy.start();
    writeSync(log, 'first words\n');
    jest.advanceTimersByTime(1_000);
    ftruncateSync(log, 0);
    jest.advanceTimersByTime(1_000);
    writeSync(log, 'other words, more of them\n');
    jest.useRealTimers();
    await copy.finish();
    expect(readFileSync(join(folder, 'copy'), 'utf8')).toBe('first words\n more of them\n');
    closeSync(log);
  });

  it('stops when the log cannot be read, logs that once, and disturbs nothing else', async () => {
    const copy = new OutputCopy(log, target);
    copy.start();
    closeSync(log);
    expect(() => jest.advanceTimersByTime(1_000)).not.toThrow();
    jest.useRealTimers();
    await copy.finish();
    expect(logged).toHaveBeenCalledTimes(1);
  });
});
