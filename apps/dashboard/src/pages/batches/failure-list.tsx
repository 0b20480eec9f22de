import { Group, Paper, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { plainLine, plainLines } from '@fleet/session-report';
import { SessionState } from '../../state/session-state';
import { batchTexts } from '../../texts/batches';
import type { FailureGroup } from './failure-groups';

/** Datasets listed per group; the others are in the hit list. */
const mostNamed = 12;

const Failed = ({ group: { sentence, kind, results } }: { readonly group: FailureGroup }): ReactElement => (
  <Paper component="li" p="sm" data-testid="failure">
    <Stack gap={6}>
      <Group gap={10}>
        <SessionState kind={kind} /> <b>{batchTexts.failures.rows(results.length)}</b>
      </Group>
      <p>{plainLines(sentence)}</p>
      <Group component="p" className="small" gap="2px 14px">
        {results.slice(0, mostNamed).map(({ row, session }) =>
          session === undefined ? (
            <span key={row} className="quiet">
              {batchTexts.failures.row(row)}
            </span>
          ) : (
            <Link key={row} to="/sessions/$id" params={{ id: session.id }} search={{}}>
              {plainLine(session.title) || batchTexts.failures.row(row)}
            </Link>
          ),
        )}
        {results.length > mostNamed && (
          <span className="quiet">{batchTexts.failures.more(results.length - mostNamed)}</span>
        )}
      </Group>
    </Stack>
  </Paper>
);

/** Failures by reason, the most frequent first. */
export const FailureList = ({ groups }: { readonly groups: readonly FailureGroup[] }): ReactElement =>
  groups.length === 0 ? (
    <Paper component="p" p={40} ta="center" c="dimmed">
      {batchTexts.failures.none}
    </Paper>
  ) : (
    <Stack component="ul" gap="xs">
      {groups.map((group) => (
        <Failed key={`${group.kind} ${group.sentence}`} group={group} />
      ))}
    </Stack>
  );
