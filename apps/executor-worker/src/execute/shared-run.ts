import { attemptName } from '@fleet/contracts/runs';
import type { Session } from '@fleet/contracts/sessions';
import type { Nodes, SharedRun } from '@fleet/fair-shares';

/** The session's current attempt, in terms of shares. */
export const sharedRunOf = (session: Session, nodes: Nodes): SharedRun => ({
  name: attemptName(session.id, session.cycle, session.attempt),
  proposal: session.request.proposal,
  user: session.request.submitter,
  priority: session.request.priority,
  nodes,
  submittedAt: Date.parse(session.createdAt),
});
