import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { useFolder } from '@fleet/testing';
import { withRoomMade } from './free-room';

const folder = useFolder();

const file = (name: string, bytes: number): string => {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, Buffer.alloc(bytes, 'x'));
  return path;
};

const full = { kind: 'disk_full', infrastructure: true, message: 'x failed because the disk was full.' } as const;
const mebibyte = 1024 * 1024;

describe('the output of an attempt that filled the disk', () => {
  it("is removed except for small files and the executor's own, and its ending says so", () => {
    const large = [file('map.ccp4', 3 * mebibyte), file('deep/er/map.ccp4', 2 * mebibyte)];
    const small = [file('notes.txt', 100), file('.fleet/spec.json', 2 * mebibyte)];
    const { message } = withRoomMade(full, folder);
    expect(large.filter(existsSync)).toEqual([]);
    expect(small.filter(existsSync)).toEqual(small);
    expect(message).toContain('What it had written was removed to make room (2 files, 5.0 MiB');
  });

  it('is removed as well if it is many small files', () => {
    const files = Array.from({ length: 1_200 }, (_, index) => file(`small-${String(index)}`, 10));
    withRoomMade(full, folder);
    expect(files.filter(existsSync)).toHaveLength(1_000);
  });

  it('keeps the end of its log', () => {
    const log = file('program.log', 4 * mebibyte);
    writeFileSync(log, 'No space left on device', { flag: 'a' });
    withRoomMade(full, folder);
    const text = readFileSync(log, 'utf8');
    expect(text).toMatch(/^\[\d+ bytes were removed here because the disk was full\]\n/);
    expect(text).toMatch(/No space left on device$/);
    expect(text.length).toBeLessThan(300 * 1024);
  });

  it('is not followed through links', () => {
    const outside = mkdtempSync(join(tmpdir(), 'fleet-elsewhere-'));
    const victim = join(outside, 'victim');
    writeFileSync(victim, '');
    truncateSync(victim, 4 * mebibyte);
    symlinkSync(outside, join(folder, 'link'));
    symlinkSync(victim, join(folder, 'program.log'));
    const logged = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    expect(withRoomMade(full, folder)).toEqual(full);
    expect(readFileSync(victim)).toHaveLength(4 * mebibyte);
    expect(logged).toHaveBeenCalledTimes(1);
    logged.mockRestore();
    rmSync(outside, { recursive: true });
  });

  it('stays where the attempt ended for another reason', () => {
    const large = file('map.ccp4', 2 * mebibyte);
    const exited = { ...full, kind: 'exited', infrastructure: false } as const;
    expect(withRoomMade(exited, folder)).toBe(exited);
    expect(existsSync(large)).toBe(true);
  });
});
