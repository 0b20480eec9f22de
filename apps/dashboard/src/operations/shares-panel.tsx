import type { ReactElement } from 'react';
import type { SharesView } from '@fleet/contracts';
import { plainLine } from '@fleet/session-report';
import { Ago } from '../format/time';
import { Listing } from '../shell/listing';
import { operationsTexts } from '../texts-operations';

const words = operationsTexts.shares;
const limits = Object.keys(words.limits) as (keyof typeof words.limits)[];

const Proposals = ({ of }: { readonly of: SharesView['policy']['proposals'] }): ReactElement => (
  <Listing columns={[words.proposal, words.weight, words.most, words.daily]}>
    {Object.entries(of).map(([proposal, { weight = 1, maxRunning, startsPerDay }]) => (
      <tr key={proposal} data-share={proposal}>
        <td>{plainLine(proposal)}</td>
        <td className="number">{weight}</td>
        <td className="number">{maxRunning}</td>
        <td className="number">{startsPerDay}</td>
      </tr>
    ))}
  </Listing>
);

/** How the slots are shared. */
export const SharesPanel = ({
  shares: { policy, setBy, by, since },
}: {
  readonly shares: SharesView;
}): ReactElement => {
  const set = limits.filter((name) => policy[name] > 0);
  const isPlain = set.length === 0 && policy.liveFor.length === 0 && Object.keys(policy.proposals).length === 0;
  return (
    <>
      <p className="quiet">
        {words.setBy[setBy]}
        {by !== '' && ` (${plainLine(by)})`} {since !== undefined && <Ago at={since} />}. {words.change}
      </p>
      {isPlain && <p>{words.none}</p>}
      <ul className="limits">
        {set.map((name) => (
          <li key={name}>
            <b className="number">{policy[name]}</b> {words.limits[name]}
          </li>
        ))}
        {policy.liveFor.length > 0 && (
          <li>
            <b>{policy.liveFor.map(plainLine).join(', ')}</b> {words.live}
          </li>
        )}
      </ul>
      {Object.keys(policy.proposals).length > 0 && <Proposals of={policy.proposals} />}
    </>
  );
};
