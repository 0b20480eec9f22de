import { Fault, type ApiKey, type KeyRevocation } from '@fleet/contracts';
import type { AccessKeys, KeyUses } from '@fleet/ports';
import { byAge } from './listed';

/** The twin for tests of other parts: same rules (it passes the same contract), gone with the process. */
export class MemoryAccessKeys implements AccessKeys, KeyUses {
  private readonly keys = new Map<string, ApiKey>();
  private readonly uses = new Map<string, string>();

  create(key: ApiKey): Promise<void> {
    if (this.keys.has(key.id))
      return Promise.reject(new Fault('key.exists', 'conflict', `There is a key ${key.id} already.`));
    this.keys.set(key.id, key);
    return Promise.resolve();
  }

  find(id: string): Promise<ApiKey | undefined> {
    return Promise.resolve(this.keys.get(id));
  }

  list(): Promise<readonly ApiKey[]> {
    return Promise.resolve([...this.keys.values()].sort(byAge));
  }

  revoke(id: string, by: Required<KeyRevocation>): Promise<ApiKey | undefined> {
    const key = this.keys.get(id);
    if (key !== undefined) this.keys.set(id, { ...by, ...key });
    return this.find(id);
  }

  any(): Promise<boolean> {
    return Promise.resolve(this.keys.size > 0);
  }

  used(id: string, at: string): Promise<void> {
    this.uses.set(id, at);
    return Promise.resolve();
  }

  lastUses(): Promise<Readonly<Record<string, string>>> {
    return Promise.resolve(Object.fromEntries(this.uses));
  }
}
