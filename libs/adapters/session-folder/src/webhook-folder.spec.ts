import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { aWebhook, useFolder } from '@fleet/testing';
import { keyOf, type InstallationKey } from './session-signature';
import { WebhookFolder } from './webhook-folder';

const [old, current] = [keyOf(Buffer.alloc(32, 7)), keyOf(Buffer.alloc(32, 8))];
const webhook = aWebhook({ secretKey: old.id });

describe('WebhookFolder', () => {
  const root = useFolder();
  let warnings: string[];
  const folderOf = (keys: readonly InstallationKey[] = [old]): WebhookFolder =>
    new WebhookFolder(root, { keys, onWarning: (message) => warnings.push(message) });
  const fileOf = (kind: string): string => join(root, '.phenix-fleet-access/webhooks', `${webhook.id}.${kind}.json`);
  beforeEach(() => {
    warnings = [];
  });

  it('stores webhooks in a private folder, for the next process, without their secrets', async () => {
    expect(await folderOf().all()).toEqual([]);
    await folderOf().create(webhook);
    expect(statSync(join(root, '.phenix-fleet-access')).mode & 0o777).toBe(0o700);
    expect(await folderOf().all()).toEqual([{ ...webhook, isRemoved: false }]);
    const secret = folderOf().secretOf(webhook);
    expect(secret).toHaveLength(32);
    expect(readFileSync(fileOf('webhook'), 'utf8')).not.toContain(secret?.toString('base64'));
  });

  it('derives different secrets, the same in every process with the key', () => {
    const other = { ...webhook, id: 'fedcba9876543210' };
    expect(folderOf().secretOf(webhook)).toEqual(folderOf([current, old]).secretOf(webhook));
    expect(folderOf().secretOf(webhook)).not.toEqual(folderOf().secretOf(other));
    expect(folderOf([current]).secretOf(webhook)).toBeUndefined();
    expect(folderOf([current, old]).secretKey()).toBe(current.id);
  });

  it('reports a removed one as removed, whatever the state of that file', async () => {
    await folderOf().create(webhook);
    await folderOf().remove(webhook.id, { removedAt: webhook.createdAt, removedBy: 'ada' });
    writeFileSync(fileOf('removed'), 'damaged');
    expect(await folderOf().all()).toEqual([{ ...webhook, isRemoved: true }]);
    expect(readdirSync(join(root, '.phenix-fleet-access/webhooks'))).toHaveLength(2);
  });

  it('ignores a file that it did not sign, with a warning', async () => {
    await folderOf().create(webhook);
    writeFileSync(
      fileOf('webhook'),
      readFileSync(fileOf('webhook'), 'utf8').replace('hooks.example.org', 'evil.example'),
    );
    expect(await folderOf().all()).toEqual([]);
    expect(warnings[0]).toContain('receives nothing: its signature is altered');
  });

  it('creates none without an installation key', async () => {
    await expect(folderOf([]).create(webhook)).rejects.toMatchObject({ code: 'webhook.no_installation_key' });
    expect(() => folderOf([]).secretKey()).toThrow('FLEET_INSTALLATION_KEY_FILE');
  });
});
