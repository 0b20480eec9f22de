import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newKeyText } from '@fleet/keys';
import { systemClock, type AccessKeys } from '@fleet/ports';
import { useStores, useFolder } from '@fleet/testing';
import { registerInitialAdminKey } from './initial-admin-key';

const newStore = useStores();

describe('the key of the initial administrator', () => {
  const folder = useFolder();
  const workRoot = join(folder, 'work');
  let keys: AccessKeys;
  beforeEach(() => {
    mkdirSync(workRoot);
    ({ keys } = newStore());
  });

  const fileWith = (text: string, path = join(folder, 'key')): string => {
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  };
  const register = (file: string): ReturnType<typeof registerInitialAdminKey> =>
    registerInitialAdminKey(file, { keys, clock: systemClock, workRoot });

  it('is registered once, even by concurrent calls', async () => {
    const { id, text, hash } = newKeyText();
    const file = fileWith(`${text}\n`);
    await Promise.all([register(file), register(file)]);
    await register(file);
    expect(await keys.list()).toMatchObject([{ id, hash, owner: 'administrator', role: 'admin' }]);
  });

  it('stays revoked', async () => {
    const { id, text } = newKeyText();
    const file = fileWith(text);
    await register(file);
    await keys.revoke(id, { revokedAt: '2026-01-01T00:00:00.000Z', revokedBy: 'root' });
    expect(await register(file)).toMatchObject({ id, revokedBy: 'root' });
  });

  it('is added to the previous one if the file contains another', async () => {
    await register(fileWith(newKeyText().text));
    await register(fileWith(newKeyText().text));
    expect(await keys.list()).toHaveLength(2);
  });

  it('does not depend on the file any longer once it is registered', async () => {
    const { id, text, hash } = newKeyText();
    const times = { createdAt: '2026-01-01T00:00:00.000Z', createdBy: '', expiresAt: '2036-01-01T00:00:00.000Z' };
    const what = { role: 'admin' as const, label: '', proposals: [], beamlines: [], scopes: ['admin' as const] };
    await keys.create({ id, hash, owner: 'root', ...what, ...times });
    expect(await register(fileWith(text))).toMatchObject({ owner: 'root' });
  });

  it.each([
    ['nothing', ''],
    ['something else', 'secret'],
    ['two keys', `${newKeyText().text}\n${newKeyText().text}`],
    ['a long text', 'x'.repeat(5000)],
  ])('is rejected from %s, without showing it', async (_, text) => {
    await expect(register(fileWith(text))).rejects.toThrow(
      /FLEET_INITIAL_ADMIN_KEY_FILE: .*(contains no API key|larger)/s,
    );
    await expect(register(fileWith(text))).rejects.not.toThrow(/secret|phx_[0-9a-z]{16}/);
  });

  it('is rejected if other users can read or write the file', async () => {
    const file = fileWith(newKeyText().text);
    chmodSync(file, 0o602);
    await expect(register(file)).rejects.toThrow('may be written by every user');
    const inside = fileWith(newKeyText().text, join(workRoot, 'key'));
    symlinkSync(inside, join(folder, 'link'));
    await expect(register(join(folder, 'link'))).rejects.toThrow('is in the work folder');
  });

  it('is rejected if its id is registered with another secret', async () => {
    const [{ text }, other] = [newKeyText(), newKeyText()];
    await register(fileWith(text));
    await expect(register(fileWith(`${text.slice(0, 20)}${other.text.slice(20)}`))).rejects.toThrow(
      'another key than the known key',
    );
  });
});
