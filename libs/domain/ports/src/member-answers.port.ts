import type { MemberAnswer } from '@fleet/contracts/access';

export const MEMBER_ANSWERS = Symbol('MemberAnswers');

/** Cache of user office responses, for all gateways. An entry may be lost at any time: then the user office is queried again. */
export interface MemberAnswers {
  find(question: string): Promise<MemberAnswer | undefined>;
  /** @param keepMs lifetime of the entry */
  keep(question: string, answer: MemberAnswer, keepMs: number): Promise<void>;
}
