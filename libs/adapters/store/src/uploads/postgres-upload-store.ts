import { sql, type Transaction } from 'kysely';
import { isDescribed } from '@fleet/contracts/schema';
import { isUploadName, uploadSchema, type Upload } from '@fleet/contracts/uploads';
import type { UploadChange, UploadStore } from '@fleet/ports';
import { reachingStore, timeIn, type StoreContext } from '../database';
import type { Tables } from '../tables';

const dayMs = 24 * 60 * 60 * 1000;

/** Bytes of an upload that may still arrive; those of a rejected one are counted already. */
const awaitedBytes = ({ state, size, offset }: Upload): number =>
  state === 'receiving' ? Math.max(0, size - offset) : 0;

/** Stored values become paths, so what no gateway can have written is rejected. */
export const isUpload = (id: string, stored: unknown): stored is Upload => {
  if (!isDescribed(uploadSchema, stored) || stored.id !== id || !isUploadName(stored.name)) return false;
  const { file, name } = stored;
  return file === '' || (file.startsWith(`${id}.`) && file.endsWith(`.${name}`));
};

const tables = ['uploads', 'upload_days', 'upload_writers'] as const;

export class PostgresUploadStore implements UploadStore {
  constructor(private readonly context: StoreContext) {}

  add(upload: Upload, forMs: number, mostOfDay: number): Promise<number | undefined> {
    return reachingStore(() =>
      this.context.db.transaction().execute(async (tx) => {
        for (const table of tables) await tx.deleteFrom(table).where('until', '<=', timeIn(this.context)).execute();
        const left = await this.countForDay(tx, upload, mostOfDay);
        if (left !== undefined) return left;
        const { id, version } = upload;
        const row = { id, version, upload: JSON.stringify(upload), until: timeIn(this.context, forMs) };
        await tx.insertInto('uploads').values(row).execute();
        return undefined;
      }),
    );
  }

  find(id: string): Promise<Upload | undefined> {
    return reachingStore(async () => {
      const row = await this.context.db
        .selectFrom('uploads')
        .select('upload')
        .where('id', '=', id)
        .where('until', '>', timeIn(this.context))
        .executeTakeFirst();
      return row !== undefined && isUpload(id, row.upload) ? row.upload : undefined;
    });
  }

  change(upload: Upload, changed: UploadChange, forMs: number): Promise<Upload | undefined> {
    const { id, version } = upload;
    const now = { ...upload, ...changed, version: version + 1 };
    return reachingStore(async () => {
      const { numUpdatedRows } = await this.context.db
        .updateTable('uploads')
        .set({ version: now.version, upload: JSON.stringify(now), until: timeIn(this.context, forMs) })
        .where('id', '=', id)
        .where('version', '=', version)
        .where('until', '>', timeIn(this.context))
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n ? now : undefined;
    });
  }

  remove(upload: Upload): Promise<boolean> {
    const { id, proposal, version } = upload;
    return reachingStore(() =>
      this.context.db.transaction().execute(async (tx) => {
        const { numDeletedRows } = await tx
          .deleteFrom('uploads')
          .where('id', '=', id)
          .where('version', '=', version)
          .where('until', '>', timeIn(this.context))
          .executeTakeFirstOrThrow();
        if (numDeletedRows === 0n) return false;
        await tx
          .updateTable('upload_days')
          .set({ bytes: sql`greatest(0, bytes - ${awaitedBytes(upload)})` })
          .where('proposal', '=', proposal)
          .execute();
        return true;
      }),
    );
  }

  hold(id: string, writer: string, forMs: number): Promise<boolean> {
    const mine = { writer, until: timeIn(this.context, forMs) };
    return reachingStore(async () => {
      const { numInsertedOrUpdatedRows } = await this.context.db
        .insertInto('upload_writers')
        .values({ upload: id, ...mine })
        .onConflict((conflict) =>
          conflict
            .column('upload')
            .doUpdateSet(mine)
            .where((eb) =>
              eb.or([eb('upload_writers.until', '<=', timeIn(this.context)), eb('upload_writers.writer', '=', writer)]),
            ),
        )
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows === 1n;
    });
  }

  async release(id: string, writer: string): Promise<void> {
    const { db } = this.context;
    await reachingStore(() =>
      db.deleteFrom('upload_writers').where('upload', '=', id).where('writer', '=', writer).execute(),
    );
  }

  /** @returns remaining bytes of the proposal's day, if they are too few: then nothing is counted */
  private async countForDay(
    tx: Transaction<Tables>,
    { proposal, size }: Upload,
    mostOfDay: number,
  ): Promise<number | undefined> {
    if (size <= mostOfDay) {
      const { numInsertedOrUpdatedRows } = await tx
        .insertInto('upload_days')
        .values({ proposal, bytes: size, until: timeIn(this.context, dayMs) })
        .onConflict((conflict) =>
          conflict
            .column('proposal')
            .doUpdateSet((eb) => ({ bytes: eb('upload_days.bytes', '+', size) }))
            .where('upload_days.bytes', '<=', String(mostOfDay - size)),
        )
        .executeTakeFirstOrThrow();
      if (numInsertedOrUpdatedRows === 1n) return undefined;
    }
    const day = await tx.selectFrom('upload_days').select('bytes').where('proposal', '=', proposal).executeTakeFirst();
    return Math.max(0, mostOfDay - Number(day?.bytes ?? 0));
  }
}
