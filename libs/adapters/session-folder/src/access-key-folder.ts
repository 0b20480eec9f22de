import { apiKeySchema, keyRevocationSchema, type ApiKey, type KeyRevocation } from '@fleet/contracts/access';
import { Fault } from '@fleet/contracts/faults';
import type { AccessKeys } from '@fleet/ports';
import { SignedFolder, type SignedFolderOptions } from './signed-folder';

const fileForm = /^([0-9a-z]{16})\.(key|revoked)\.json$/;

const noInstallationKey = (): Fault =>
  new Fault(
    'key.no_installation_key',
    'conflict',
    'API keys need FLEET_INSTALLATION_KEY_FILE: they are stored in the work folder, and without a signature anyone who can write there could add one. Set it (docs/configuration.md), restart the gateway and try again.',
  );

/**
 * API keys as files of the work root, so that they outlive the database: `<id>.key.json`, and `<id>.revoked.json` after
 * a revocation. Each is written once and signed with the installation's key; one that is not authentic grants no
 * access.
 */
export class AccessKeyFolder implements AccessKeys {
  private readonly folder: SignedFolder;

  /** @param workRoot absolute */
  constructor(workRoot: string, options: Pick<SignedFolderOptions, 'keys' | 'onWarning'>) {
    this.folder = new SignedFolder(workRoot, 'keys', {
      ...options,
      noKey: noInstallationKey,
      without: 'opens nothing',
    });
  }

  async create(given: ApiKey): Promise<void> {
    const { revokedAt, revokedBy = '', ...key } = given;
    if ((await this.folder.names(fileForm)).includes(`${key.id}.key.json`))
      throw new Fault('key.exists', 'conflict', `The key ${key.id} exists already.`);
    if (revokedAt !== undefined) await this.folder.write('revoked', key.id, { revokedAt, revokedBy });
    await this.folder.write('key', key.id, key);
    const stored = await this.folder.read('key', key.id, apiKeySchema);
    if (stored?.hash !== key.hash || stored.owner !== key.owner)
      throw new Fault('key.exists', 'conflict', `The key ${key.id} exists already.`);
  }

  async find(id: string): Promise<ApiKey | undefined> {
    const key = await this.folder.read('key', id, apiKeySchema);
    if (key === undefined) return undefined;
    const isRevoked = (await this.folder.names(fileForm)).includes(`${id}.revoked.json`);
    if (!isRevoked) return key;
    const revocation = await this.folder.read('revoked', id, keyRevocationSchema);
    // An unreadable revocation still counts: a damaged file must not restore access.
    return { ...key, ...(revocation ?? { revokedAt: key.createdAt, revokedBy: '' }) };
  }

  async list(): Promise<readonly ApiKey[]> {
    const ids = (await this.folder.names(fileForm)).flatMap((name) =>
      name.endsWith('.key.json') ? [name.slice(0, 16)] : [],
    );
    const keys = await Promise.all(ids.map((id) => this.find(id)));
    return keys
      .filter((key) => key !== undefined)
      .sort((one, other) => (`${one.createdAt} ${one.id}` < `${other.createdAt} ${other.id}` ? -1 : 1));
  }

  async revoke(id: string, { revokedAt, revokedBy }: Required<KeyRevocation>): Promise<ApiKey | undefined> {
    if ((await this.find(id)) === undefined) return undefined;
    await this.folder.write('revoked', id, { revokedAt, revokedBy });
    return this.find(id);
  }

  /** Includes files that cannot be verified: a lost installation key denies access instead of granting it. */
  async any(): Promise<boolean> {
    return (await this.folder.names(fileForm)).length > 0;
  }
}
