import { Button, TextInput } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import type { AuditEntry, AuditPage } from '@fleet/contracts';
import { plainLine } from '@fleet/session-report';
import { download } from '../api/calls';
import { Ago } from '../format/time';
import { Listing } from '../shell/listing';
import { operationsTexts } from '../texts-operations';
import type { OperationsSearch } from './operations-search';

const words = operationsTexts.audit;

const Entry = ({ entry }: { readonly entry: AuditEntry }): ReactElement => (
  <tr data-audit={entry.id} data-outcome={entry.outcome}>
    <td>
      <Ago at={entry.at} />
    </td>
    <td>
      {entry.who === '' ? words.nobody : plainLine(entry.who)}
      <span className="quiet small">{plainLine(entry.from)}</span>
    </td>
    <td>
      {plainLine(entry.action)}
      <span className="quiet small">{plainLine(entry.address)}</span>
    </td>
    <td>{plainLine(entry.object)}</td>
    <td>
      {entry.outcome}
      {entry.code !== undefined && <span className="quiet small">{plainLine(entry.code)}</span>}
    </td>
  </tr>
);

const Filter = ({ who }: { readonly who: string }): ReactElement => {
  const navigate = useNavigate();
  const [typed, setTyped] = useState(who);
  return (
    <form
      className="acts"
      onSubmit={(event) => {
        event.preventDefault();
        const search = typed.trim() === '' ? {} : { who: typed.trim() };
        void navigate({ to: '/operations', search, resetScroll: false });
      }}
    >
      <TextInput
        size="xs"
        aria-label={words.filter}
        placeholder={words.filter}
        value={typed}
        maxLength={200}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
        }}
      />
      <Button
        size="xs"
        variant="default"
        leftSection={<IconDownload size={14} />}
        onClick={() =>
          void download(
            `v1/admin/audit.csv${who === '' ? '' : `?${new URLSearchParams({ who }).toString()}`}`,
            'audit.csv',
          )
        }
      >
        {words.csv}
      </Button>
    </form>
  );
};

/** Who did what, the newest first. */
export const AuditPanel = ({
  page: { entries, damages, nextCursor },
  search,
}: {
  readonly page: AuditPage;
  readonly search: OperationsSearch;
}): ReactElement => {
  const { who = '', cursor } = search;
  const first = who === '' ? {} : { who };
  return (
    <>
      <Filter key={who} who={who} />
      {damages.length > 0 && (
        <p role="alert" className="mark-failed">
          {words.damages(damages.length)}
        </p>
      )}
      {entries.length === 0 ? (
        <p className="quiet">{words.none}</p>
      ) : (
        <Listing columns={[words.when, words.who, words.did, words.object, words.outcome]}>
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </Listing>
      )}
      <p className="pages">
        {cursor !== undefined && (
          <Link to="/operations" search={first} resetScroll={false}>
            {words.first}
          </Link>
        )}
        {nextCursor !== undefined && (
          <Link to="/operations" search={{ ...first, cursor: nextCursor }} resetScroll={false}>
            {words.next}
          </Link>
        )}
      </p>
    </>
  );
};
