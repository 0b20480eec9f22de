import { Group, Paper, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { Operation } from '@fleet/contracts/results';
import type { SessionView } from '@fleet/contracts/sessions';
import { plainLine, plainLines, spentText } from '@fleet/session-report';
import { timeText } from '../../../format/times';
import { CopyButton } from '../../../parts/copy-button';
import { traceTexts } from '../../../texts/trace';
import { PromptAndReply } from './prompt-and-reply';
import { KindIcon, StatusMark } from './operation-mark';
import { tookText } from './time-cell';
import type { Span } from './time-axis';
import { parentOf, type TraceRow } from './trace-tree';
import css from './trace.module.css';
import { Fact, Facts } from '../../../parts/facts';

interface Detailed {
  readonly session: SessionView;
  readonly rows: readonly TraceRow[];
  readonly row: TraceRow;
  readonly span: Span | undefined;
  readonly isZoomed: boolean;
}

/** The cycle of an operation; undefined: none, as for an assessment. */
const cycleOf = (path: string): number | undefined => {
  const [first = ''] = path.split('.');
  return first.startsWith('a') ? undefined : Number(first);
};

/** The attempt of a program's row, in record order. */
const attemptOf = ({ session, rows, row }: Detailed, cycle: number): number | undefined => {
  const programs = rows.filter(({ operation: { kind, path } }) => kind === 'program' && parentOf(path) === row.parent);
  const record = session.cycles.find((one) => one.cycle === cycle);
  return record?.attempts[programs.indexOf(row)]?.attempt;
};

/** Zooms the axis to its time span, or back. */
const Zoom = ({ session, row, span, isZoomed }: Detailed): ReactElement => {
  const { path } = row.operation;
  if (!isZoomed && (span === undefined || span.to === span.from)) return <></>;
  return (
    <Link
      to="/sessions/$id"
      params={{ id: session.id }}
      search={{ view: 'trace', op: path, ...(!isZoomed && { zoom: path }) }}
      resetScroll={false}
    >
      {isZoomed ? traceTexts.whole : traceTexts.zoom}
    </Link>
  );
};

const RelatedLinks = (detailed: Detailed): ReactElement => {
  const { session, row } = detailed;
  const { path, kind } = row.operation;
  const cycle = cycleOf(path);
  const attempt = kind === 'program' && cycle !== undefined ? attemptOf(detailed, cycle) : undefined;
  const to = { to: '/sessions/$id', params: { id: session.id } } as const;
  return (
    <Group component="p" gap={20}>
      {cycle !== undefined && session.cycles.some((one) => one.cycle === cycle) && (
        <Link {...to} search={{ view: 'cycles', cycle: String(cycle) }}>
          {traceTexts.toCycle}
        </Link>
      )}
      {cycle === undefined && (
        <Link {...to} search={{ view: 'assessment' }}>
          {traceTexts.toAssessment}
        </Link>
      )}
      {attempt !== undefined && (
        <Link {...to} search={{ view: 'log', cycle: String(cycle), attempt: String(attempt) }}>
          {traceTexts.toLog}
        </Link>
      )}
      <Zoom {...detailed} />
    </Group>
  );
};

const OperationFacts = ({
  operation,
  span,
}: {
  readonly operation: Operation;
  readonly span: Span | undefined;
}): ReactElement => {
  const { status, startedAt, endedAt, spent, hash } = operation;
  const took = tookText(span);
  return (
    <Facts>
      <Fact name={traceTexts.details.status}>{traceTexts.statuses[status]}</Fact>
      {startedAt !== undefined && <Fact name={traceTexts.details.started}>{timeText(startedAt)}</Fact>}
      {endedAt !== undefined && <Fact name={traceTexts.details.ended}>{timeText(endedAt)}</Fact>}
      {took !== '' && <Fact name={traceTexts.details.took}>{took}</Fact>}
      {spent !== undefined && spent.requests > 0 && <Fact name={traceTexts.details.used}>{spentText(spent)}</Fact>}
      {hash !== undefined && (
        <Fact name={traceTexts.details.hash}>
          <Text component="span" ff="monospace" fz="xs" fw={400} style={{ overflowWrap: 'anywhere' }}>
            {hash}
          </Text>
        </Fact>
      )}
    </Facts>
  );
};

/** All details of one operation, and related links. */
export const OperationDetails = (detailed: Detailed): ReactElement => {
  const { session, row, span } = detailed;
  const { operation } = row;
  const { path, kind, what, note, hash } = operation;
  const cycle = cycleOf(path);
  return (
    <Paper component="section" data-testid="operation" aria-label={traceTexts.link(path)}>
      <Stack gap={10}>
        <Group component="h2" gap={6} m={0}>
          <StatusMark status={operation.status} /> <KindIcon kind={kind} />
          <span>
            {path} <span className="quiet">{traceTexts.kinds[kind]}</span> {plainLine(what)}
          </span>
          <CopyButton text={location.href} label={traceTexts.copy} />
        </Group>
        {note !== undefined && <p className={css.fullNote}>{plainLines(note)}</p>}
        <OperationFacts operation={operation} span={span} />
        <RelatedLinks {...detailed} />
        {kind === 'request' && hash !== undefined && cycle !== undefined && (
          <PromptAndReply key={path} id={session.id} cycle={cycle} hash={hash} />
        )}
      </Stack>
    </Paper>
  );
};
