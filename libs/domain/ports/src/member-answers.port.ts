import type { MemberAnswer } from '@fleet/contracts/access';

export const MEMBER_ANSWERS = Symbol('MemberAnswers');

/** What the user office has answered, for all gateways. It may be lost at any time: then it is asked again. */
export interface MemberAnswers {
  find(question: string): Promise<MemberAnswer | undefined>;
  /** @param keepMs after which it is forgotten */
  keep(question: string, answer: MemberAnswer, keepMs: number): Promise<void>;
}
