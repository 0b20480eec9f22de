import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import { strikesOfOrphan, type KnownOrphan } from '@fleet/contracts';
import { plainLine } from '@fleet/session-report';
import { removeOrphans } from '../api/admin-calls';
import { Ago } from '../format/time';
import { Listing } from '../shell/listing';
import { operationsTexts } from '../texts-operations';
import { Asking } from './asking';

const words = operationsTexts.orphans;

const stateOf = ({ removing, strikes }: KnownOrphan): string => {
  if (removing) return words.removing;
  return strikes >= strikesOfOrphan ? words.twice : words.once;
};

const OrphanRow = ({ orphan }: { readonly orphan: KnownOrphan }): ReactElement => (
  <tr data-orphan={orphan.name}>
    <td>
      {plainLine(orphan.name)}
      <span className="quiet small">{stateOf(orphan)}</span>
    </td>
    <td>
      <Link to="/sessions/$id" params={{ id: orphan.owner.sessionId }} search={{}}>
        {plainLine(orphan.owner.proposal)}
      </Link>
    </td>
    <td>
      <Ago at={orphan.firstSeenAt} />
    </td>
    <td>{plainLine(orphan.because)}</td>
  </tr>
);

const Orphans = ({ orphans }: { readonly orphans: readonly KnownOrphan[] }): ReactElement => (
  <Listing columns={[words.run, words.session, words.since, words.because]}>
    {orphans.map((orphan) => (
      <OrphanRow key={orphan.name} orphan={orphan} />
    ))}
  </Listing>
);

/** Runs that no session wants, and their removal. */
export const OrphansPanel = ({ orphans }: { readonly orphans: readonly KnownOrphan[] }): ReactElement => {
  const queries = useQueryClient();
  const [asked, setAsked] = useState<number>();
  const removable = orphans.filter(({ removing, strikes }) => !removing && strikes >= strikesOfOrphan).length;
  const remove = async (): Promise<void> => {
    await removeOrphans();
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
      <div className="acts">
        <Button
          size="xs"
          variant="default"
          leftSection={<IconTrash size={14} />}
          disabled={removable === 0}
          onClick={() => {
            setAsked(removable);
          }}
        >
          {words.open(removable)}
        </Button>
      </div>
      {asked !== undefined && (
        <Asking
          words={{ ask: words.ask(asked), what: words.check, button: words.button(asked) }}
          color="red"
          work={remove}
          onClose={() => {
            setAsked(undefined);
          }}
        />
      )}
    </>
  );
};
