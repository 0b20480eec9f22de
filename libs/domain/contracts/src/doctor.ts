import { choice, list, record, text, type Described } from './schema';
import { time } from './schema-fields';

export const findingLevels = ['ok', 'warning', 'error'] as const;
/**
 * - `ok`: as it should be;
 * - `warning`: it works, and will not always or not well;
 * - `error`: something is lost, or stands still, unless it is mended.
 */
export type FindingLevel = (typeof findingLevels)[number];

export const findingSchema = record(
  {
    check: text('what was looked at, such as `redis.eviction`; stays the same from release to release'),
    level: choice(findingLevels),
    seen: text('what was found, in one sentence'),
  },
  { why: text('why it matters'), remedy: text('what to do') },
  'one look at a site; with why and remedy unless all is well',
);
export type Finding = Described<typeof findingSchema>;

export const checkupSchema = record({
  at: time(),
  by: text('the machine or pod that looked'),
  findings: list(findingSchema),
});
export type CheckupView = Described<typeof checkupSchema>;
