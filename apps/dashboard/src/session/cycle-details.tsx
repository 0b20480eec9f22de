import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { CycleRecord, SessionView, StoredEvent } from '@fleet/contracts';
import { metricLabel, metricText, plainLine, plainLines, type MetricDefinitions } from '@fleet/session-report';
import { durationText } from '../format/durations';
import { ForkLink } from '../fork/fork-link';
import { texts } from '../texts';
import { traceTexts } from '../texts-trace';
import { CycleCommand } from './cycle-command';
import { CycleLink } from './cycle-link';
import { findingsOf } from './findings';
import { LogWords } from './log-words';

interface Detailed {
  readonly session: SessionView;
  readonly cycle: CycleRecord;
  readonly definitions: MetricDefinitions;
  readonly events: readonly StoredEvent[];
}

const Why = ({ cycle: { decision } }: Pick<Detailed, 'cycle'>): ReactElement => (
  <section>
    <h3>
      {texts.cycle.decision} <span className="quiet small">{texts.cycle.confidence(decision.confidence)}</span>
    </h3>
    <p>{plainLines(decision.reasoning)}</p>
    {decision.notOffered.length > 0 && (
      <details className="more">
        <summary>
          {texts.cycle.others} <span className="quiet">{decision.notOffered.length}</span>
        </summary>
        <ul className="others">
          {decision.notOffered.map(({ program, why }) => (
            <li key={program}>
              <b>{program.replace(/^phenix\./, '')}</b> {plainLine(why)}
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
      <h3>{texts.cycle.metrics}</h3>
      <ul className="metrics">
        {result.metrics.map(({ name, value, line }) => (
          <li key={name}>
            <span className="quiet">{metricLabel(name, definitions)}</span>
            <Link
              to="/sessions/$id"
              params={{ id }}
              search={{ view: 'log', cycle: String(cycle), line: String(line) }}
              title={texts.cycle.line(line)}
              className="number plain-link"
            >
              {plainLine(metricText(name, value, definitions))}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
};

const Findings = ({ cycle, events }: Pick<Detailed, 'cycle' | 'events'>): ReactElement => {
  const findings = findingsOf(cycle, events);
  if (findings.length === 0) return <></>;
  return (
    <section>
      <h3>
        {texts.cycle.findings} <span className="quiet">{findings.length}</span>
      </h3>
      <ul className="findings">
        {findings.map(({ severity, text }) => (
          <li key={text} className={`finding finding-${severity}`}>
            <b>{texts.cycle.severity[severity]}</b> {plainLine(text)}
          </li>
        ))}
      </ul>
    </section>
  );
};

const Attempts = ({ session, cycle }: Pick<Detailed, 'session' | 'cycle'>): ReactElement => (
  <section>
    <ul className="attempts">
      {cycle.attempts.map(({ attempt, programVersion, ending }) => (
        <li key={attempt}>
          {texts.cycle.attempt} {attempt}, {plainLine(programVersion)}:{' '}
          {ending === undefined
            ? texts.cycle.running
            : `${plainLine(ending.message)} ${durationText(ending.durationMs)}`}{' '}
          <Link
            to="/sessions/$id"
            params={{ id: session.id }}
            search={{ view: 'log', cycle: String(cycle.cycle), attempt: String(attempt) }}
          >
            {texts.cycle.openLog}
          </Link>
        </li>
      ))}
      {cycle.waiting !== undefined && (
        <li>
          {texts.cycle.waiting}: {plainLine(cycle.waiting.because)}
        </li>
      )}
    </ul>
  </section>
);

/** All that is known of a cycle. */
export const CycleDetails = (detailed: Detailed): ReactElement => (
  <div className="details">
    <Why {...detailed} />
    <CycleCommand {...detailed} />
    <Metrics {...detailed} />
    <Findings {...detailed} />
    <Attempts {...detailed} />
    <LogWords {...detailed} />
    <p className="cycle-ways">
      <CycleLink id={detailed.session.id} cycle={detailed.cycle.cycle}>
        {texts.cycle.link}
      </CycleLink>
      <Link
        to="/sessions/$id"
        params={{ id: detailed.session.id }}
        search={{ view: 'trace', op: String(detailed.cycle.cycle) }}
      >
        {traceTexts.toTrace}
      </Link>
    </p>
    <ForkLink id={detailed.session.id} cycle={detailed.cycle} />
  </div>
);
