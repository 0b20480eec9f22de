import { Badge, Button, Table } from '@mantine/core';
import { IconAlertTriangle, IconBan, IconCircleCheckFilled, IconClock, type TablerIcon } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import type { ApiKeyView } from '@fleet/contracts/access';
import { plainLine } from '@fleet/session-report';
import { Ago, useNow } from '../../parts/time';
import { timeText } from '../../format/times';
import { Listing } from '../../parts/listing';
import { keyTexts as words } from '../../texts/keys';
import { isOver, keyStateOf, type KeyState } from './key-state';

const icons: Readonly<Record<KeyState, TablerIcon>> = {
  good: IconCircleCheckFilled,
  soon: IconAlertTriangle,
  expired: IconClock,
  revoked: IconBan,
};
const tones = { good: 'green', soon: 'yellow', expired: 'gray', revoked: 'red' } as const;
const stateWords: Readonly<Record<KeyState, string>> = {
  good: words.good,
  soon: words.soon,
  expired: words.expired,
  revoked: words.revoked,
};

const State = ({ of, state }: { readonly of: ApiKeyView; readonly state: KeyState }): ReactElement => {
  const Icon = icons[state];
  const at = of.revokedAt ?? of.expiresAt;
  return (
    <Table.Td data-label={words.state}>
      <Badge component="span" color={tones[state]} leftSection={<Icon size={14} aria-hidden="true" />}>
        {stateWords[state]}
      </Badge>
      <span className="quiet small">
        {of.revokedAt === undefined && `${words.until} `}
        <time dateTime={at} title={timeText(at)}>
          {at.slice(0, 10)}
        </time>
        {of.revokedBy !== undefined && of.revokedBy !== '' && ` ${words.by(plainLine(of.revokedBy))}`}
      </span>
    </Table.Td>
  );
};

const whereOf = ({ role, proposals, beamlines }: ApiKeyView): string =>
  role === 'admin' ? words.everywhere : [...proposals, ...beamlines].map(plainLine).join(', ');

const Row = ({ of, onRevoke }: { readonly of: ApiKeyView; readonly onRevoke: () => void }): ReactElement => {
  const state = keyStateOf(of, useNow(60_000));
  return (
    <Table.Tr data-key={of.id} data-state={state}>
      <Table.Td>
        <b>{plainLine(of.owner)}</b>
        <span className="quiet small">{plainLine(of.label)}</span>
        <span className="quiet small mono">{of.id}</span>
      </Table.Td>
      <Table.Td data-label={words.role}>{of.role}</Table.Td>
      <Table.Td miw={100} maw={240} data-label={words.where}>
        {whereOf(of)}
      </Table.Td>
      <Table.Td data-label={words.may}>{of.scopes.join(', ')}</Table.Td>
      <Table.Td data-label={words.made}>
        <Ago at={of.createdAt} />
        <span className="quiet small">{of.createdBy !== '' && words.by(plainLine(of.createdBy))}</span>
      </Table.Td>
      <Table.Td data-label={words.used}>
        {of.lastUsedAt === undefined ? <span className="quiet">{words.never}</span> : <Ago at={of.lastUsedAt} />}
      </Table.Td>
      <State of={of} state={state} />
      <Table.Td>
        {!isOver(state) && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconBan size={14} />}
            aria-label={words.revoke.openLabel(of.owner, of.id)}
            onClick={onRevoke}
          >
            {words.revoke.open}
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
};

/** Keys, without their secrets. */
export const KeyTable = ({
  keys,
  onRevoke,
}: {
  readonly keys: readonly ApiKeyView[];
  readonly onRevoke: (key: ApiKeyView) => void;
}): ReactElement => (
  <Listing
    columns={[words.owner, words.role, words.where, words.may, words.made, words.used, words.state, words.act]}
    testId="keys"
    isStacked
  >
    {keys.map((key) => (
      <Row key={key.id} of={key} onRevoke={() => onRevoke(key)} />
    ))}
  </Listing>
);
