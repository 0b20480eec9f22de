import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sharedRoot } from '@fleet/access';
import type { RecoveryReport } from '@fleet/contracts/administration';
import type { Session } from '@fleet/contracts/sessions';
import { recoverSessions } from '@fleet/recovery';
import { readInstallationKeys, SessionFolder } from '@fleet/session-folder';
import { aFile, aRequest, aSession, ManualClock, type TestStore, type useStores } from '@fleet/testing';

export const aKey = (): string => randomBytes(32).toString('base64');

export const fileOf = ({ folder }: Pick<Session, 'folder'>): string => join(folder, 'session.json');

export interface Editable {
  schemaVersion: unknown;
  signature?: unknown;
  session: Record<string, unknown>;
}

export const edit = (session: Pick<Session, 'folder'>, change: (content: Editable) => void): void => {
  const content = JSON.parse(readFileSync(fileOf(session), 'utf8')) as Editable;
  change(content);
  writeFileSync(fileOf(session), JSON.stringify(content));
};

export const idsOf = ({ recovered: some }: RecoveryReport): string[] => some.map(({ id }) => id);

/** A work folder, a data folder, a key and a secret beside them, and what is recovered from there. */
export class RecoveryGround {
  private readonly clock = new ManualClock();
  readonly top = realpathSync(mkdtempSync(join(tmpdir(), 'fleet-recover-')));
  readonly work = join(this.top, 'work');
  readonly data = join(this.top, 'data');
  readonly keyFile = join(this.top, 'key');
  /** Outside of all roots. */
  readonly secret = join(this.top, 'secret');

  constructor(private readonly newStore: ReturnType<typeof useStores>) {
    mkdirSync(this.work);
    mkdirSync(this.data);
    writeFileSync(join(this.data, 'data.mtz'), 'data');
    writeFileSync(this.secret, 'secret');
    writeFileSync(this.keyFile, aKey(), { mode: 0o600 });
  }

  readonly store = (): TestStore => this.newStore(this.clock);

  folders(onWarning: (message: string) => void = (): void => undefined): SessionFolder {
    const keys = readInstallationKeys(this.keyFile, this.work);
    return new SessionFolder(this.work, { dataRoots: [sharedRoot(this.data)], keys, onWarning });
  }

  /** A session on the disk as this installation writes it. */
  async write(changes: Partial<Session> = {}): Promise<Session> {
    const request = aRequest({ inputs: [aFile({ path: join(this.data, 'data.mtz') })], ...changes.request });
    const session = aSession({ ...changes, request });
    const stored = { ...session, folder: this.folders().pathOf(request.proposal, session.id) };
    await this.folders().writeSession(stored);
    return stored;
  }

  recovered(store = this.store(), from = this.folders()): Promise<RecoveryReport> {
    return recoverSessions({ records: store.records, clock: this.clock, folders: from });
  }

  /** Trusts every unauthenticated session without a check. */
  async trusted(store = this.store(), folders = this.folders()): Promise<RecoveryReport> {
    const first = await this.recovered(store, folders);
    const digests = Object.fromEntries(first.untrusted.map(({ id, digest }) => [id, digest]));
    const then = await recoverSessions({
      records: store.records,
      clock: this.clock,
      folders,
      trust: { digests, by: 'somebody' },
    });
    return { ...then, recovered: [...first.recovered, ...then.recovered] };
  }

  stop(): void {
    rmSync(this.top, { recursive: true });
  }
}
