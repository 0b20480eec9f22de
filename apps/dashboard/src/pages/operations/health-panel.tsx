import { Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheckFilled } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { plainLine } from '@fleet/session-report';
import type { Probe } from '../../api/admin-calls';
import { operationsTexts } from '../../texts/operations';
import css from './operations.module.css';

const words = operationsTexts.health;

const units: Readonly<Record<string, string>> = { Ms: ' ms', S: ' s', Percent: ' %' };

/** A probe's result as text: `pingMs: 3` → `ping 3 ms`; a reason is a sentence already. */
const detailText = (member: string, value: unknown): string => {
  const text = typeof value === 'string' ? plainLine(value) : JSON.stringify(value);
  if (member === 'reason') return text;
  const [, name = member, unit = ''] = /^(.+?)(Ms|S|Percent)?$/.exec(member) ?? [];
  return `${name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()} ${text}${units[unit] ?? ''}`;
};

/** The health of each part of the service. */
export const HealthPanel = ({ probes }: { readonly probes: readonly Probe[] }): ReactElement => (
  <Stack component="ul" gap={6}>
    {probes.map(({ name, isUp, detail }) => (
      <li key={name} data-probe={name} className={css.probe} data-up={isUp}>
        <Text component="span" c={isUp ? 'green' : 'red'}>
          {isUp ? (
            <IconCircleCheckFilled size={16} aria-hidden="true" />
          ) : (
            <IconAlertTriangle size={16} aria-hidden="true" />
          )}{' '}
          {isUp ? words.up : words.down}
        </Text>
        <b>{words.names[name] ?? name}</b>
        <span className="quiet small">
          {Object.entries(detail)
            .map(([member, value]) => detailText(member, value))
            .join(' · ')}
        </span>
      </li>
    ))}
  </Stack>
);
