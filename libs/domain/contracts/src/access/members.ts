import { namesOfPrincipal } from './access';
import { integer, record, type Described } from '../schema/schema';

const most = 10_000;

/** The user office's response to a query for a user's proposals. Unknown members are ignored. */
export const proposalsAnswerSchema = record({
  proposals: namesOfPrincipal('proposals of the user', most),
});

/** Its response to a query for the beamlines of a proposal; empty if it has none. */
export const beamlinesAnswerSchema = record(
  {},
  { beamlines: namesOfPrincipal('beamlines that the proposal is at', most) },
);

/** A cached response of the user office. */
export const memberAnswerSchema = record({
  names: namesOfPrincipal('proposals, or beamlines', most),
  requestedAt: integer('milliseconds since the epoch'),
});
export type MemberAnswer = Described<typeof memberAnswerSchema>;
