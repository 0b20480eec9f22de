import { namesOfPrincipal } from './access';
import { integer, record, type Described } from '../schema/schema';

const most = 10_000;

/** What the user office answers when it is asked for the proposals of somebody. Members that it adds are passed over. */
export const proposalsAnswerSchema = record({
  proposals: namesOfPrincipal('proposals that they belong to', most),
});

/** What it answers when it is asked for the beamlines of a proposal; none where it does not say. */
export const beamlinesAnswerSchema = record(
  {},
  { beamlines: namesOfPrincipal('beamlines that the proposal is at', most) },
);

/** An answer of the user office, as it is kept. */
export const memberAnswerSchema = record({
  names: namesOfPrincipal('proposals, or beamlines', most),
  requestedAt: integer('milliseconds since the epoch'),
});
export type MemberAnswer = Described<typeof memberAnswerSchema>;
