import { Group, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { shortName, type CycleRecord, type SessionView, type StoredEvent } from '@fleet/contracts/sessions';
import { metricLabel, metricText, plainLine, plainLines, type MetricDefinitions } from '@fleet/session-report';
import { durationText } from '../../format/durations';
import { ForkLink } from './fork-link';
import { cycleTexts } from '../../texts/session';
import { traceTexts } from '../../texts/trace';
import { CycleCommand } from './cycle-command';
import { CycleLink } from './cycle-link';
import { findingsOf } from './findings';
import { LogWords } from './log-words';
import css from './session.module.css';
import { Note } from '../../parts/note';
import { Columns } from '../../parts/columns';

interface Detailed {
  readonly session: SessionView;
  readonly cycle: CycleRecord;
  readonly definitions: MetricDefinitions;
  readonly events: readonly StoredEvent[];
}

const Why = ({ cycle: { decision } }: Pick<Detailed, 'cycle'>): ReactElement => (
  <section>
    <h3>
      {cycleTexts.decision} <span className="quiet small">{cycleTexts.confidence(decision.confidence)}</span>
    </h3>
    <p>{plainLines(decision.reasoning)}</p>
    {decision.notOffered.length > 0 && (
      <details>
        <summary>
          {cycleTexts.others} <span className="quiet">{decision.notOffered.length}</span>
        </summary>
        <ul className="bullets">
          {decision.notOffered.map(({ program, why }) => (
            <li key={program}>
              <b>{shortName(program)}</b> {plainLine(why)}
            </li>
          ))}
        </ul>
      </details>
    )}
  </section>
);

const Metrics = ({
  session: { id },
  cycle: { cycle, result },
  definitions,
}: Pick<Detailed, 'session' | 'cycle' | 'definitions'>): ReactElement => {
  if (result === undefined || result.metrics.length === 0) return <></>;
  return (
    <section>
      <h3>{cycleTexts.metrics}</h3>
      <Columns component="ul" least={210} data-testid="metrics">
        {result.metrics.map(({ name, value, line }) => (
          <li key={name} className={css.metric}>
            <span className="quiet">{metricLabel(name, definitions)}</span>
            <Link
              to="/sessions/$id"
              params={{ id }}
              search={{ view: 'log', cycle: String(cycle), line: String(line) }}
              title={cycleTexts.line(line)}
              className="number"
            >
              {plainLine(metricText(name, value, definitions))}
            </Link>
          </li>
        ))}
      </Columns>
    </section>
  );
};

const Findings = ({ cycle, events }: Pick<Detailed, 'cycle' | 'events'>): ReactElement => {
  const findings = findingsOf(cycle, events);
  if (findings.length === 0) return <></>;
  return (
    <section>
      <h3>
        {cycleTexts.findings} <span className="quiet">{findings.length}</span>
      </h3>
      <Stack component="ul" gap={4}>
        {findings.map(({ severity, text }) => (
          <Note
            component="li"
            key={text}
            color={({ error: 'red', warning: 'yellow', info: 'gray' } as const)[severity]}
          >
            <b>{cycleTexts.severity[severity]}</b> {plainLine(text)}
          </Note>
        ))}
      </Stack>
    </section>
  );
};

const Attempts = ({ session, cycle }: Pick<Detailed, 'session' | 'cycle'>): ReactElement => (
  <section>
    <ul className="bullets sentence">
      {cycle.attempts.map(({ attempt, programVersion, ending }) => (
        <li key={attempt}>
          {cycleTexts.attempt} {attempt}, {plainLine(programVersion)}:{' '}
          {ending === undefined
            ? cycleTexts.running
            : `${plainLine(ending.message)} ${durationText(ending.durationMs)}`}{' '}
          <Link
            to="/sessions/$id"
            params={{ id: session.id }}
            search={{ view: 'log', cycle: String(cycle.cycle), attempt: String(attempt) }}
          >
            {cycleTexts.openLog}
          </Link>
        </li>
      ))}
      {cycle.waiting !== undefined && (
        <li>
          {cycleTexts.waiting}: {plainLine(cycle.waiting.reason)}
        </li>
      )}
    </ul>
  </section>
);

/** All details of a cycle. */
export const CycleDetails = (detailed: Detailed): ReactElement => (
  <div className={css.details}>
    <Why {...detailed} />
    <CycleCommand {...detailed} />
    <Metrics {...detailed} />
    <Findings {...detailed} />
    <Attempts {...detailed} />
    <LogWords {...detailed} />
    <Group component="p" gap={20}>
      <CycleLink id={detailed.session.id} cycle={detailed.cycle.cycle}>
        {cycleTexts.link}
      </CycleLink>
      <Link
        to="/sessions/$id"
        params={{ id: detailed.session.id }}
        search={{ view: 'trace', op: String(detailed.cycle.cycle) }}
      >
        {traceTexts.toTrace}
      </Link>
    </Group>
    <ForkLink id={detailed.session.id} cycle={detailed.cycle} />
  </div>
);
