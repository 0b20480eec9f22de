import { Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheckFilled } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { plainLine } from '@fleet/session-report';
import type { Probe } from '../../api/health';
import { operationsTexts } from '../../texts/operations';
import css from './operations.module.css';

const texts = operationsTexts.health;

const units: Readonly<Record<string, string>> = { Ms: ' ms', S: ' s', Percent: ' %' };

/** A time to the second: `2026-11-27 18:17:59 UTC`. */
const timeText = (text: string): string => text.replace(/^([\d-]{10})T([\d:]{8})\.\d+Z$/, '$1 $2 UTC');

/** A probe's result as text: `pingMs: 3` → `ping 3 ms`, `durable: false` → `not durable`; a reason is a sentence already. */
const detailText = (member: string, value: unknown): string => {
  const text = typeof value === 'string' ? timeText(plainLine(value)) : JSON.stringify(value);
  if (member === 'reason') return text;
  const [, name = member, unit = ''] = /^(.+?)(Ms|S|Percent)?$/.exec(member) ?? [];
  const words = name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  if (typeof value === 'boolean') return value ? words : `not ${words}`;
  return `${words} ${text}${units[unit] ?? ''}`;
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
          {isUp ? texts.up : texts.down}
        </Text>
        <b>{texts.names[name] ?? name}</b>
        <span className="quiet small">
          {Object.entries(detail)
            .map(([member, value]) => detailText(member, value))
            .join(' · ')}
        </span>
      </li>
    ))}
  </Stack>
);
