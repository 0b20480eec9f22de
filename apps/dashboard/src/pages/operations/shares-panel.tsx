import { Stack, Table } from '@mantine/core';
import type { ReactElement } from 'react';
import type { SharesView } from '@fleet/contracts/launches';
import { plainLine } from '@fleet/session-report';
import { Ago } from '../../parts/time';
import { Listing } from '../../parts/listing';
import { operationsTexts } from '../../texts/operations';

const words = operationsTexts.shares;
const limits = Object.keys(words.limits) as (keyof typeof words.limits)[];

const Proposals = ({ of }: { readonly of: SharesView['policy']['proposals'] }): ReactElement => (
  <Listing columns={[words.proposal, words.weight, words.most, words.daily]}>
    {Object.entries(of).map(([proposal, { weight = 1, maxRunning, startsPerDay }]) => (
      <Table.Tr key={proposal} data-share={proposal}>
        <Table.Td>{plainLine(proposal)}</Table.Td>
        <Table.Td className="number">{weight}</Table.Td>
        <Table.Td className="number">{maxRunning}</Table.Td>
        <Table.Td className="number">{startsPerDay}</Table.Td>
      </Table.Tr>
    ))}
  </Listing>
);

/** The shares of slots. */
export const SharesPanel = ({
  shares: { policy, setBy, by, since },
}: {
  readonly shares: SharesView;
}): ReactElement => {
  const set = limits.filter((name) => policy[name] > 0);
  const isPlain = set.length === 0 && policy.liveAllowedFor.length === 0 && Object.keys(policy.proposals).length === 0;
  return (
    <>
      <p className="quiet">
        {words.setBy[setBy]}
        {by !== '' && ` (${plainLine(by)})`}
        {since !== undefined && (
          <>
            {' '}
            <Ago at={since} />
          </>
        )}
        . {words.change}
      </p>
      {isPlain && <p>{words.none}</p>}
      <Stack component="ul" gap={6}>
        {set.map((name) => (
          <li key={name}>
            <b className="number">{policy[name]}</b> {words.limits[name]}
          </li>
        ))}
        {policy.liveAllowedFor.length > 0 && (
          <li>
            <b>{policy.liveAllowedFor.map(plainLine).join(', ')}</b> {words.live}
          </li>
        )}
      </Stack>
      {Object.keys(policy.proposals).length > 0 && <Proposals of={policy.proposals} />}
    </>
  );
};
