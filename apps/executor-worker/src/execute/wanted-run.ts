import { isFault } from '@fleet/contracts/faults';
import { attemptOfName } from '@fleet/contracts/runs';
import { isEnded, type SessionHead } from '@fleet/contracts/sessions';
import type { SessionRecords } from '@fleet/ports';

type Heads = Pick<SessionRecords, 'loadHead'>;

/**
 * Why no record needs this run, in one sentence; undefined if its session executes (or cancels) exactly this attempt. A
 * run that is being created is always needed: its session executes the attempt before anything of it exists. So is one
 * with a damaged record, whose needs are unknown.
 */
export const whyUnwanted = async (records: Heads, name: string): Promise<string | undefined> => {
  const run = attemptOfName(name);
  if (run === undefined) return 'its name is not that of an attempt';
  const head = await headOf(records, run.sessionId);
  if (head === 'damaged') return undefined;
  if (head === undefined) return 'its session is unknown';
  if (isEnded(head.status)) return `its session has ended (${head.status})`;
  if (head.stage === 'executing' && head.cycle === run.cycle && head.attempt === run.attempt) return undefined;
  return `its session is at cycle ${head.cycle}, attempt ${head.attempt} (${head.stage})`;
};

const headOf = async (records: Heads, sessionId: string): Promise<SessionHead | 'damaged' | undefined> => {
  try {
    return await records.loadHead(sessionId);
  } catch (error) {
    if (isFault(error) && error.code === 'session.damaged') return 'damaged';
    throw error;
  }
};
