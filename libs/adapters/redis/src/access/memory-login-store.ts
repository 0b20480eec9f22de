import type { LoginStore } from '@fleet/ports';

interface StoredLogin {
  readonly text: string;
  readonly until: number;
}

/** In-memory browser logins, for tests. */
export class MemoryLoginStore implements LoginStore {
  private readonly all = new Map<string, StoredLogin>();

  constructor(private readonly now: () => number = Date.now) {}

  keep(name: string, text: string, forMs: number): Promise<void> {
    this.all.set(name, { text, until: this.now() + forMs });
    return Promise.resolve();
  }

  async replace(name: string, before: string, text: string, forMs: number): Promise<boolean> {
    if (this.found(name) !== before) return false;
    await this.keep(name, text, forMs);
    return true;
  }

  remove(name: string, before: string): Promise<boolean> {
    return Promise.resolve(this.found(name) === before && this.all.delete(name));
  }

  async use(name: string, forMs: number): Promise<string | undefined> {
    const text = this.found(name);
    if (text !== undefined) await this.keep(name, text, forMs);
    return text;
  }

  take(name: string): Promise<string | undefined> {
    const text = this.found(name);
    this.all.delete(name);
    return Promise.resolve(text);
  }

  async claim(name: string, forMs: number): Promise<boolean> {
    if (this.found(name) !== undefined) return false;
    await this.keep(name, '', forMs);
    return true;
  }

  private found(name: string): string | undefined {
    const login = this.all.get(name);
    return login === undefined || login.until <= this.now() ? undefined : login.text;
  }
}
