import { Button, Group, Table } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import { sightingsOfOrphan, type KnownOrphan } from '@fleet/contracts/launches';
import { plainLine } from '@fleet/session-report';
import { api } from '../../api/calls';
import { Asking } from '../../parts/asking';
import { Ago } from '../../parts/time';
import { Listing } from '../../parts/listing';
import { operationsTexts } from '../../texts/operations';

const words = operationsTexts.orphans;

const stateOf = ({ removing, sightings }: KnownOrphan): string => {
  if (removing) return words.removing;
  return sightings >= sightingsOfOrphan ? words.twice : words.once;
};

const OrphanRow = ({ orphan }: { readonly orphan: KnownOrphan }): ReactElement => (
  <Table.Tr data-orphan={orphan.name}>
    <Table.Td>
      {plainLine(orphan.name)}
      <span className="quiet small">{stateOf(orphan)}</span>
    </Table.Td>
    <Table.Td>
      <Link to="/sessions/$id" params={{ id: orphan.owner.sessionId }} search={{}}>
        {plainLine(orphan.owner.proposal)}
      </Link>
    </Table.Td>
    <Table.Td>
      <Ago at={orphan.firstSeenAt} />
    </Table.Td>
    <Table.Td>{plainLine(orphan.reason)}</Table.Td>
  </Table.Tr>
);

const Orphans = ({ orphans }: { readonly orphans: readonly KnownOrphan[] }): ReactElement => (
  <Listing columns={[words.run, words.session, words.since, words.reason]}>
    {orphans.map((orphan) => (
      <OrphanRow key={orphan.name} orphan={orphan} />
    ))}
  </Listing>
);

/** Runs that belong to no session, and their removal. */
export const OrphansPanel = ({ orphans }: { readonly orphans: readonly KnownOrphan[] }): ReactElement => {
  const queries = useQueryClient();
  const [asked, setAsked] = useState<number>();
  const removable = orphans.filter(({ removing, sightings }) => !removing && sightings >= sightingsOfOrphan).length;
  const remove = async (): Promise<void> => {
    await api.json('POST /v1/admin/orphans/removal', { body: {} });
    await queries.invalidateQueries({ queryKey: ['operations'] });
  };
  if (orphans.length === 0)
    return (
      <p className="quiet">
        {words.what} {words.none}
      </p>
    );
  return (
    <>
      <p className="quiet">{words.what}</p>
      <Orphans orphans={orphans} />
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          leftSection={<IconTrash size={14} />}
          disabled={removable === 0}
          onClick={() => setAsked(removable)}
        >
          {words.open(removable)}
        </Button>
      </Group>
      {asked !== undefined && (
        <Asking
          words={{ ask: words.ask(asked), what: words.check, button: words.button(asked) }}
          color="red"
          work={remove}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
};
