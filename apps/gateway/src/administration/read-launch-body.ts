import { launchWishSchema, type LaunchWish } from '@fleet/contracts';
import type { ProblemList } from '../submission/problem-list';
import { readBody } from '../submission/read-body';

/** Whatever is wrong goes to `problems`; the result is then to be thrown away. */
export const readLaunchBody = (body: unknown, problems: ProblemList): Required<LaunchWish> => {
  const { mode = 'open', reason = '', by = '' } = readBody(launchWishSchema, body, problems);
  return { mode, reason: reason.trim(), by: by.trim() };
};
