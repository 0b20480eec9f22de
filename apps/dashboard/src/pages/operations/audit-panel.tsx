import { Button, Group, Table, Text, TextInput } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import type { AuditEntry, AuditPage } from '@fleet/contracts/audit';
import { plainLine } from '@fleet/session-report';
import { download } from '../../api/calls';
import { Ago } from '../../parts/time';
import { Listing } from '../../parts/listing';
import { operationsTexts } from '../../texts/operations';
import type { OperationsSearch } from './operations-search';

const words = operationsTexts.audit;

const Entry = ({ entry }: { readonly entry: AuditEntry }): ReactElement => (
  <Table.Tr data-audit={entry.id} data-outcome={entry.outcome}>
    <Table.Td>
      <Ago at={entry.at} />
    </Table.Td>
    <Table.Td>
      {entry.who === '' ? words.unknownUser : plainLine(entry.who)}
      <span className="quiet small">{plainLine(entry.from)}</span>
    </Table.Td>
    <Table.Td>
      {plainLine(entry.action)}
      <span className="quiet small">{plainLine(entry.endpoint)}</span>
    </Table.Td>
    <Table.Td>{plainLine(entry.object)}</Table.Td>
    <Table.Td>
      {entry.outcome}
      {entry.code !== undefined && <span className="quiet small">{plainLine(entry.code)}</span>}
    </Table.Td>
  </Table.Tr>
);

const Filter = ({ who }: { readonly who: string }): ReactElement => {
  const navigate = useNavigate();
  const [typed, setTyped] = useState(who);
  return (
    <Group
      component="form"
      gap="xs"
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
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
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
    </Group>
  );
};

/** The audit log, the newest first. */
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
        <Text role="alert" c="red">
          {words.damages(damages.length)}
        </Text>
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
      <Group component="p" gap={18}>
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
      </Group>
    </>
  );
};
