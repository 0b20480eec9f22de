import type { EventType, JsonValue, SessionEvent } from '@fleet/contracts/sessions';
import type { DecisionInput } from './decision-types';

/** An event of the current cycle. */
export const eventOf = (
  { session, now }: DecisionInput,
  type: EventType,
  message: string,
  data: Readonly<Record<string, JsonValue>> = {},
): SessionEvent => ({ type, cycle: session.cycle, at: now, message, data });
