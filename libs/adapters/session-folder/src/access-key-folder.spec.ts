import { copyFileSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { accessKeysContract, aKey, useFolder } from '@fleet/testing';
import { AccessKeyFolder } from './access-key-folder';
import { keyOf } from './session-signature';

const installation = keyOf(Buffer.alloc(32, 7));
const revocation = { revokedAt: '2026-11-22T08:00:00.000Z', revokedBy: 'admin' };

const root = useFolder();
let warnings: string[];
const folderOf = (keys = [installation]): AccessKeyFolder =>
  new AccessKeyFolder(root, { keys, onWarning: (message) => warnings.push(message) });
const fileOf = (name: string): string => join(root, '.phenix-fleet-access/keys', name);
beforeEach(() => {
  warnings = [];
});

accessKeysContract('AccessKeyFolder', () => Promise.resolve({ made: folderOf(), close: () => Promise.resolve() }));

describe('AccessKeyFolder', () => {
  it('stores keys in a private folder, for the next process', async () => {
    await folderOf().create(aKey());
    expect(statSync(join(root, '.phenix-fleet-access')).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(root, '.phenix-fleet-access/keys'))).toEqual([`${aKey().id}.key.json`]);
    expect(await folderOf().find(aKey().id)).toEqual(aKey());
  });

  it('creates no key without an installation key', async () => {
    await expect(folderOf([]).create(aKey())).rejects.toMatchObject({ code: 'key.no_installation_key' });
    expect(await folderOf([]).any()).toBe(false);
  });

  it('rejects a file that it did not sign, with a warning', async () => {
    await folderOf().create(aKey());
    const path = fileOf(`${aKey().id}.key.json`);
    writeFileSync(path, readFileSync(path, 'utf8').replace('"role":"user"', '"role":"admin"'));
    expect(await folderOf().find(aKey().id)).toBeUndefined();
    expect(await folderOf().list()).toEqual([]);
    expect(warnings[0]).toContain('opens nothing: its signature is altered');
  });

  it('does not accept a key for another one, nor a revocation for a key', async () => {
    await folderOf().create(aKey());
    await folderOf().revoke(aKey().id, revocation);
    const other = 'fedcba9876543210';
    copyFileSync(fileOf(`${aKey().id}.key.json`), fileOf(`${other}.key.json`));
    copyFileSync(fileOf(`${aKey().id}.revoked.json`), fileOf('aaaaaaaaaaaaaaaa.key.json'));
    expect(await folderOf().find(other)).toBeUndefined();
    expect(await folderOf().find('aaaaaaaaaaaaaaaa')).toBeUndefined();
  });

  it('stays closed with keys of an unknown installation', async () => {
    await folderOf().create(aKey());
    const stranger = folderOf([keyOf(Buffer.alloc(32, 8))]);
    expect([await stranger.find(aKey().id), await stranger.any()]).toEqual([undefined, true]);
  });

  it('stays revoked if the revocation is damaged', async () => {
    await folderOf().create(aKey());
    await folderOf().revoke(aKey().id, revocation);
    writeFileSync(fileOf(`${aKey().id}.revoked.json`), 'x');
    expect((await folderOf().find(aKey().id))?.revokedAt).toBeDefined();
  });

  it('follows no link', async () => {
    await folderOf().create(aKey());
    const path = fileOf(`${aKey().id}.key.json`);
    const moved = join(root, 'elsewhere.json');
    copyFileSync(path, moved);
    rmSync(path);
    symlinkSync(moved, path);
    expect(await folderOf().find(aKey().id)).toBeUndefined();
  });
});
