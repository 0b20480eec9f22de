import { Alert, Tooltip } from '@mantine/core';
import { IconFlask, IconGitFork } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import { analysedCycles, ligandText, type SessionView } from '@fleet/contracts';
import {
  adviceText,
  guidanceSentences,
  plainLine,
  plainLines,
  rowOf,
  waitingReason,
  type MetricDefinitions,
} from '@fleet/session-report';
import { runtimeText } from '../format/times';
import { Ago, useNow } from '../format/time';
import { CopyButton } from '../shell/copy-button';
import { FitValue } from '../state/fit-value';
import { SessionState } from '../state/session-state';
import { stateOf } from '../state/state-of';
import { RetentionPanel } from './retention-panel';
import { SteerPanel } from '../steer/steer-panel';
import { stageTexts, texts } from '../texts';
import { forkTexts } from '../texts-fork';

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement => (
  <div className="fact">
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

const Runtime = ({ from, to }: { readonly from: string; readonly to: string | undefined }): ReactElement => (
  <>{runtimeText(from, to, useNow())}</>
);

/** Ligands that were submitted without a file. */
const Ligands = ({ of: { ligands = [] } }: { readonly of: SessionView['request'] }): ReactElement =>
  ligands.length === 0 ? <></> : <Fact name={texts.session.ligands}>{ligands.map(ligandText).join(', ')}</Fact>;

const Facts = ({
  session,
  definitions,
}: {
  readonly session: SessionView;
  readonly definitions: MetricDefinitions;
}): ReactElement => {
  const { request, createdAt } = session;
  const { resolution, spaceGroup, endedAt } = rowOf(session);
  const fit = analysedCycles(session).at(-1)?.result.fit;
  return (
    <dl className="facts">
      {fit !== undefined && (
        <Fact name={texts.columns.fit}>
          <FitValue fit={fit} definitions={definitions} />
        </Fact>
      )}
      {resolution !== undefined && <Fact name={texts.session.resolution}>{resolution.toFixed(2)} Å</Fact>}
      {spaceGroup !== undefined && <Fact name={texts.session.spaceGroup}>{plainLine(spaceGroup)}</Fact>}
      {request.priority !== 'standard' && <Fact name={texts.priority.label}>{request.priority}</Fact>}
      <Fact name={texts.session.cycle}>
        {session.cycle} / {request.settings.max_cycles}
      </Fact>
      <Fact name={texts.session.runtime}>
        <Runtime from={createdAt} to={endedAt} />
      </Fact>
      {request.forkedFrom !== undefined && (
        <Fact name={forkTexts.from}>
          <IconGitFork size={14} className="fork-icon" aria-hidden="true" />
          <Link
            to="/sessions/$id"
            params={{ id: request.forkedFrom.session }}
            search={{ cycle: String(request.forkedFrom.afterCycle) }}
          >
            {request.forkedFrom.session}
          </Link>{' '}
          {forkTexts.after(request.forkedFrom.afterCycle)}
        </Fact>
      )}
      <Ligands of={request} />
      {request.proposal !== '' && <Fact name={texts.session.proposal}>{request.proposal}</Fact>}
      {request.beamline !== '' && <Fact name={texts.session.beamline}>{request.beamline}</Fact>}
      {request.submitter !== '' && <Fact name={texts.session.submitter}>{plainLine(request.submitter)}</Fact>}
      <Fact name={texts.session.submitted}>
        <Ago at={createdAt} />
      </Fact>
    </dl>
  );
};

/** Its outcome and what to do, or what it does now. */
const Verdict = ({ session }: { readonly session: SessionView }): ReactElement => {
  const { outcome, stop, stage, status } = session;
  const current = session.cycles.at(-1);
  if (outcome !== undefined)
    return (
      <div className={`verdict verdict-${outcome.word}`}>
        <p>
          <b>{outcome.sentence}</b>
        </p>
        {stop !== undefined && (
          <p>
            <span className="label">{texts.session.why}</span> {plainLines(stop.detail)}
          </p>
        )}
        <p>
          <span className="label">{texts.session.next}</span> {outcome.next}
        </p>
      </div>
    );
  if (status !== 'running') return <></>;
  const waiting = waitingReason(session);
  return (
    <div className="verdict">
      <p>
        <span className="label">{texts.session.now}</span>{' '}
        {stage === 'executing' && current !== undefined ? `${current.decision.program}, ` : ''}
        {waiting === undefined ? (stageTexts[stage] ?? stage) : `${texts.cycle.waiting}: ${plainLines(waiting)}`}
      </p>
    </div>
  );
};

const Asked = ({ session }: { readonly session: SessionView }): ReactElement => {
  const { guidance } = session;
  if (guidance === undefined) return <></>;
  return (
    <div className="asked">
      <p>
        <span className="label">{texts.session.asked}</span> <q>{plainLines(adviceText(session))}</q>
      </p>
      <ul>
        {guidanceSentences(guidance).map((sentence, at) => (
          <li key={at}>{plainLines(sentence)}</li>
        ))}
      </ul>
    </div>
  );
};

export const SessionHeader = (shown: {
  readonly session: SessionView;
  readonly definitions: MetricDefinitions;
}): ReactElement => {
  const { session } = shown;
  const { status, stage, cycle, outcome } = session;
  const waiting = waitingReason(session);
  return (
    <section className="head">
      <div className="head-line">
        <SessionState kind={stateOf({ status, stage, cycle, outcome: outcome?.word, waiting })} />
        <h1>{plainLine(session.request.title) || session.id}</h1>
        {session.simulated && (
          <Tooltip label={texts.session.simulatedWhy}>
            <span className="simulated">
              <IconFlask size={14} aria-hidden="true" />
              {texts.session.simulated}
            </span>
          </Tooltip>
        )}
        <span className="id">
          {session.id}
          <CopyButton text={session.id} label={texts.session.copyId} />
        </span>
      </div>
      {session.simulated && (
        <Alert color="grape" variant="light" icon={<IconFlask />}>
          {texts.session.simulatedWhy}
        </Alert>
      )}
      <Facts {...shown} />
      <Verdict session={session} />
      <Asked session={session} />
      <SteerPanel session={session} />
      {session.outcome !== undefined && <RetentionPanel key={session.id} id={session.id} />}
    </section>
  );
};
