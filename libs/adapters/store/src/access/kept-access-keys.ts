import type { ApiKey, KeyRevocation } from '@fleet/contracts/access';
import { isFault } from '@fleet/contracts/faults';
import type { AccessKeys } from '@fleet/ports';

/** Oldest first. */
const byAge = (one: ApiKey, other: ApiKey): number =>
  `${one.createdAt} ${one.id}` < `${other.createdAt} ${other.id}` ? -1 : 1;

const revocationOf = ({ revokedAt, revokedBy = '' }: ApiKey): Required<KeyRevocation> | undefined =>
  revokedAt === undefined ? undefined : { revokedAt, revokedBy };

/** Ignores that another gateway has created it meanwhile. */
const unlessThere = async (create: Promise<void>): Promise<void> => {
  try {
    await create;
  } catch (error) {
    if (!isFault(error) || error.code !== 'key.exists') throw error;
  }
};

/**
 * API keys in the database, with a copy on disk. An empty database is refilled, one key when it is used or all when
 * they are listed, without a recovery step. A key exists once its file does; a revocation takes effect in the database.
 */
export class KeptAccessKeys implements AccessKeys {
  constructor(
    private readonly quick: AccessKeys,
    private readonly files: AccessKeys,
  ) {}

  async create(key: ApiKey): Promise<void> {
    await this.files.create(key);
    await this.quick.create(key);
  }

  async find(id: string): Promise<ApiKey | undefined> {
    const known = await this.quick.find(id);
    if (known !== undefined) return known;
    const stored = await this.files.find(id);
    if (stored !== undefined) await unlessThere(this.quick.create(stored));
    return stored;
  }

  /** Copies keys and revocations that only the disk has to the database. */
  async list(): Promise<readonly ApiKey[]> {
    const [known, kept] = await Promise.all([this.quick.list(), this.files.list()]);
    const all = new Map(known.map((key) => [key.id, key]));
    for (const key of kept) {
      const revocation = revocationOf(key);
      const before = all.get(key.id);
      if (before === undefined) await unlessThere(this.quick.create(key));
      else if (revocation !== undefined && before.revokedAt === undefined) await this.quick.revoke(key.id, revocation);
      else continue;
      all.set(key.id, key);
    }
    return [...all.values()].sort(byAge);
  }

  async revoke(id: string, by: Required<KeyRevocation>): Promise<ApiKey | undefined> {
    if ((await this.find(id)) === undefined) return undefined;
    const revoked = await this.quick.revoke(id, by);
    // The database may have a revocation whose file was never written: the file takes over the first one.
    await this.files.revoke(id, (revoked && revocationOf(revoked)) ?? by);
    return revoked;
  }

  async any(): Promise<boolean> {
    return (await this.quick.any()) || (await this.files.any());
  }
}
