import { existsSync, readdirSync } from 'node:fs';
import type { AuditLog } from '@fleet/ports';
import { finishPurges, purgeDue, type RetentionDependencies } from '@fleet/retention';
import { startPostgres, useStarted } from '@fleet/testing';
import { day, RetentionGround } from './retention-ground';

describe('a gateway that crashes during a deletion', () => {
  const postgres = useStarted('file', () => startPostgres());
  const ground = useStarted('test', () => RetentionGround.start(postgres));

  const dead = new Error('the gateway dies here');
  /** Everything that a deletion awaits, one number after the other; the one of this number is not done, or is done and not told. */
  const dying = (deps: RetentionDependencies, at: number, isDone: boolean): RetentionDependencies => {
    let count = 0;
    const wrap = <T extends object>(part: T): T =>
      new Proxy(part, {
        get: (of, name) => {
          const member: unknown = Reflect.get(of, name);
          if (typeof member !== 'function') return member;
          return async (...args: readonly unknown[]): Promise<unknown> => {
            count += 1;
            if (count > at || (count === at && !isDone)) throw dead;
            const result: unknown = await Reflect.apply(member, of, args);
            if (count === at) throw dead;
            return result;
          };
        },
      });
    return { ...deps, records: wrap(deps.records), folders: wrap(deps.folders), audit: wrap(deps.audit) };
  };
  // The list, the beginning, the audit log, the folder, the record, the audit log.
  const awaits = 6;
  const points = Array.from({ length: awaits }, (_, index) => index + 1);

  it.each(['standard', 'backfill'] as const)('deletes every due session after its restart (%s)', async (priority) => {
    for (const at of points)
      for (const isDone of [false, true]) {
        const { id, folder } = await ground.made({ priority });
        ground.clock.forward(11 * day);
        const { store } = ground.open;
        const { deps } = ground;
        await purgeDue(dying(deps, at, isDone), {}).catch((error: unknown) => expect(error).toBe(dead));
        await finishPurges(deps, 0);
        await purgeDue(deps, {});
        const point = [at, isDone];
        expect([point, existsSync(folder)]).toEqual([point, false]);
        const left = await store.retention.find(id);
        expect([point, left?.purged !== undefined]).toEqual([point, priority === 'standard']);
        await expect(finishPurges(deps, 0)).resolves.toMatchObject({ finished: 0 });
        if (left !== undefined) {
          await store.retention.begin(id, { rule: 'end of this point', record: true }, true);
          await store.retention.remove(id);
        }
      }
  });

  it('deletes nothing when the audit log cannot be written', async () => {
    const { id, folder } = await ground.made();
    ground.clock.forward(11 * day);
    const full: Pick<AuditLog, 'write'> = { write: () => Promise.reject(dead) };
    const deps = { ...ground.deps, audit: full };
    await expect(purgeDue(deps, {})).resolves.toMatchObject({ rules: [], failed: [{ id }] });
    expect(readdirSync(folder)).toContain('session.json');
  });
});
