import { Badge, Group, TextInput } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay, IconPlayerStop, IconRocket, type TablerIcon } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { launchModes, type LaunchMode, type LaunchState } from '@fleet/contracts/launches';
import { maintenanceSpan, plainLine } from '@fleet/session-report';
import { api } from '../../api/calls';
import { AskButton, Asking } from '../../parts/asking';
import { Ago } from '../../parts/time';
import { operationsTexts } from '../../texts/operations';

const icons: Readonly<Record<LaunchMode, TablerIcon>> = {
  open: IconRocket,
  paused: IconPlayerPause,
  draining: IconPlayerStop,
};
const words = operationsTexts.launches;

const Ask = ({ mode, onClose }: { readonly mode: LaunchMode; readonly onClose: () => void }): ReactElement => {
  const queries = useQueryClient();
  const [reason, setReason] = useState('');
  const set = async (): Promise<void> => {
    const body = { mode, ...(mode !== 'open' && { reason: reason.trim() }) };
    await api.json('PUT /v1/admin/launch', { body });
    for (const key of ['operations', 'counts']) await queries.invalidateQueries({ queryKey: [key] });
  };
  return (
    <Asking words={words.act[mode]} color={mode === 'open' ? 'blue' : 'red'} work={set} onClose={onClose}>
      {mode !== 'open' && (
        <TextInput
          label={words.reason}
          value={reason}
          maxLength={500}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
      )}
    </Asking>
  );
};

/** The state of launches, and an administrator's actions on it. */
export const LaunchPanel = ({ launches }: { readonly launches: LaunchState }): ReactElement => {
  const { mode, reason, by, since, maintenance } = launches;
  const Icon = icons[mode];
  return (
    <>
      <Group component="p" gap="xs">
        <Badge
          component="span"
          color={mode === 'open' ? 'green' : 'yellow'}
          data-launches={mode}
          leftSection={<Icon size={16} aria-hidden="true" />}
        >
          {words.state[mode].label}
        </Badge>
        {maintenance === undefined ? words.state[mode].meaning : words.held(maintenanceSpan(maintenance))}
      </Group>
      {(reason !== '' || by !== '') && (
        <p>
          {reason !== '' && <b>“{plainLine(reason)}”</b>}{' '}
          <span className="quiet">
            {by !== '' && `${words.by} ${plainLine(by)} `}
            {since !== '' && <Ago at={since} />}
          </span>
        </p>
      )}
      <Group gap="xs">
        {launchModes.map((other) => {
          const ActIcon = icons[other];
          return (
            <AskButton
              key={other}
              label={words.act[other].open}
              icon={other === 'open' ? <IconPlayerPlay size={14} /> : <ActIcon size={14} />}
              // A maintenance window is cancelled, not resumed.
              isOffered={other !== (maintenance === undefined ? mode : 'open')}
              dialog={(onClose) => <Ask mode={other} onClose={onClose} />}
            />
          );
        })}
      </Group>
    </>
  );
};
