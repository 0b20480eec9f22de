import { Button } from '@mantine/core';
import { IconAlertTriangle, IconBan, IconCircleCheckFilled, IconClock, type TablerIcon } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import type { ApiKeyView } from '@fleet/contracts';
import { plainLine } from '@fleet/session-report';
import { Ago, useNow } from '../format/time';
import { timeText } from '../format/times';
import { Listing } from '../shell/listing';
import { keyTexts as words } from '../texts-keys';
import { isOver, keyStateOf, type KeyState } from './key-state';

const icons: Readonly<Record<KeyState, TablerIcon>> = {
  good: IconCircleCheckFilled,
  soon: IconAlertTriangle,
  expired: IconClock,
  revoked: IconBan,
};
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
    <td data-label={words.state}>
      <span className={`state key-${state}`}>
        <Icon size={14} aria-hidden="true" />
        {stateWords[state]}
      </span>
      <span className="quiet small">
        {of.revokedAt === undefined && `${words.until} `}
        <time dateTime={at} title={timeText(at)}>
          {at.slice(0, 10)}
        </time>
        {of.revokedBy !== undefined && of.revokedBy !== '' && ` ${words.by(plainLine(of.revokedBy))}`}
      </span>
    </td>
  );
};

const whereOf = ({ role, proposals, beamlines }: ApiKeyView): string =>
  role === 'admin' ? words.everywhere : [...proposals, ...beamlines].map(plainLine).join(', ');

const Row = ({ of, onRevoke }: { readonly of: ApiKeyView; readonly onRevoke: () => void }): ReactElement => {
  const state = keyStateOf(of, useNow(60_000));
  return (
    <tr data-key={of.id} data-state={state} className={isOver(state) ? 'key-over' : ''}>
      <td>
        <b>{plainLine(of.owner)}</b>
        <span className="quiet small">{plainLine(of.label)}</span>
        <span className="quiet small mono">{of.id}</span>
      </td>
      <td data-label={words.role}>{of.role}</td>
      <td className="key-where" data-label={words.where}>
        {whereOf(of)}
      </td>
      <td data-label={words.may}>{of.scopes.join(', ')}</td>
      <td data-label={words.made}>
        <Ago at={of.createdAt} />
        <span className="quiet small">{of.createdBy !== '' && words.by(plainLine(of.createdBy))}</span>
      </td>
      <td data-label={words.used}>
        {of.lastUsedAt === undefined ? <span className="quiet">{words.never}</span> : <Ago at={of.lastUsedAt} />}
      </td>
      <State of={of} state={state} />
      <td>
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
      </td>
    </tr>
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
    className="keys stacked"
  >
    {keys.map((key) => (
      <Row
        key={key.id}
        of={key}
        onRevoke={() => {
          onRevoke(key);
        }}
      />
    ))}
  </Listing>
);
