import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { CycleRecord, SessionView, StoredEvent } from '@fleet/contracts';
import {
  commandText,
  metricLabel,
  metricText,
  pathBelow,
  plainLine,
  plainLines,
  type MetricDefinitions,
} from '@fleet/session-report';
import { durationText } from '../format/durations';
import { ForkLink } from '../fork/fork-link';
import { CopyButton } from '../shell/copy-button';
import { texts } from '../texts';
import { findingsOf } from './findings';

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

const Command = ({ session, cycle: { decision } }: Pick<Detailed, 'session' | 'cycle'>): ReactElement => {
  const command = commandText(decision.argv.map(plainLine));
  return (
    <section>
      <h3>
        {texts.cycle.command}
        <CopyButton text={commandText(decision.argv)} label={texts.cycle.copy} />
      </h3>
      <pre className="command">{command}</pre>
      <p className="quiet small">
        {texts.cycle.inputs}:{' '}
        {decision.inputs.map(({ slot, path }) => `${slot} ${plainLine(pathBelow(session.folder, path))}`).join(' · ')}
      </p>
    </section>
  );
};

const Metrics = ({ cycle: { result }, definitions }: Pick<Detailed, 'cycle' | 'definitions'>): ReactElement => {
  if (result === undefined || result.metrics.length === 0) return <></>;
  return (
    <section>
      <h3>{texts.cycle.metrics}</h3>
      <ul className="metrics">
        {result.metrics.map(({ name, value, line }) => (
          <li key={name} title={texts.cycle.line(line)}>
            <span className="quiet">{metricLabel(name, definitions)}</span>
            <span className="number">{plainLine(metricText(name, value, definitions))}</span>
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
    <Command {...detailed} />
    <Metrics {...detailed} />
    <Findings {...detailed} />
    <Attempts {...detailed} />
    <ForkLink id={detailed.session.id} cycle={detailed.cycle} />
  </div>
);
