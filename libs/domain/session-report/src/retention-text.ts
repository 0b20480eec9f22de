import type { Pin, RetentionHold, SessionRetention } from '@fleet/contracts/retention';
import { bytesText } from './bytes-text';

const holdTexts: Readonly<Record<RetentionHold, string>> = {
  running: '',
  pinned: '',
  batch: '; kept longer while its batch runs',
  in_use: '; kept longer while other sessions use them as inputs',
};

const day = (time: string): string => time.slice(0, 10);

const pinSentence = ({ at, by, reason }: Pin): string =>
  `Pinned${by === '' ? '' : ` by ${by}`} on ${day(at)}: ${reason}. It is not deleted.`;

/** The retention of a session, in sentences; empty if no rule or pin applies. */
export const retentionSentences = (retention: SessionRetention): readonly string[] => {
  const { rule = '', folderUntil, recordUntil, hold, pin, purged } = retention;
  const record = recordUntil === undefined ? [] : [`The session is deleted after ${day(recordUntil)}.`];
  if (purged !== undefined)
    return [
      `Its files were deleted on ${day(purged.at)} (${purged.rule}; ${bytesText(purged.bytes)} freed).`,
      ...(pin === undefined ? record : []),
    ];
  if (pin !== undefined) return [pinSentence(pin)];
  const held = hold === undefined ? '' : holdTexts[hold];
  if (folderUntil === undefined) return record;
  return [`Its files are kept until ${day(folderUntil)} (rule ${rule}${held}).`, ...record];
};
