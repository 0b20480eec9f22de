import { attemptOfName, isEnded, type SessionHead } from '@fleet/contracts';

/**
 * Why no record wants this run, in one sentence; undefined when its session executes (or cancels) exactly this attempt.
 * A run that is just being made is always wanted: its session executes the attempt before anything of it exists.
 */
export const whyUnwanted = (name: string, head: SessionHead | undefined): string | undefined => {
  const run = attemptOfName(name);
  if (run === undefined) return 'its name is that of no attempt';
  if (head === undefined) return 'its session is not known';
  if (isEnded(head.status)) return `its session has ended (${head.status})`;
  if (head.stage === 'executing' && head.cycle === run.cycle && head.attempt === run.attempt) return undefined;
  return `its session is at cycle ${head.cycle}, attempt ${head.attempt} (${head.stage})`;
};
