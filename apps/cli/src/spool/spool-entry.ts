import { randomBytes } from 'node:crypto';
import { anyObject, exactly, list, record, text, time, type Described } from '@fleet/contracts';
import { filesOf, notedFileSchema } from './noted-files';

/** Ids name files, and are typed. */
const entryId = text('names it', { pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$' });

/** A submission that waits for its gateway. The API key is not in it. */
export const spoolEntrySchema = record(
  {
    layout: exactly(1),
    id: entryId,
    server: text('the gateway that it is for'),
    key: text('its Idempotency-Key, made before it was sent for the first time', { minLength: 1, maxLength: 200 }),
    body: anyObject<object>('what is sent'),
    files: list(notedFileSchema, 'its input files as they were when it was kept'),
    keptAt: time(),
  },
  { watch: text('the watched folder that it comes from') },
);
export type SpoolEntry = Described<typeof spoolEntrySchema>;

/** A submission that the gateway refused for good. */
export const refusedEntrySchema = record({
  entry: spoolEntrySchema,
  refusedAt: time(),
  reason: text(),
  problems: list(text(), 'what is wrong with it, line by line'),
});
export type RefusedEntry = Described<typeof refusedEntrySchema>;

/** Ids sort by time. */
const newId = (now: Date): string =>
  `${now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')}-${randomBytes(4).toString('hex')}`;

/** A submission as it is kept, with its files as they are now. */
export const newEntry = async (
  { server, key, body, id, watch }: Pick<SpoolEntry, 'server' | 'key' | 'body' | 'watch'> & { readonly id?: string },
  now = new Date(),
): Promise<SpoolEntry> => ({
  layout: 1,
  id: id ?? newId(now),
  server,
  key,
  body,
  files: await filesOf(body),
  keptAt: now.toISOString(),
  ...(watch !== undefined && { watch }),
});
