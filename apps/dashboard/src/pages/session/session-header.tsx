import { Alert, Badge, Box, Group, Paper, Stack, Text, Tooltip } from '@mantine/core';
import { IconFlask, IconGitFork } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { analysedCycles, ligandText, type SessionView } from '@fleet/contracts/sessions';
import {
  adviceText,
  guidanceSentences,
  plainLine,
  plainLines,
  rowOf,
  waitingReason,
  type MetricDefinitions,
} from '@fleet/session-report';
import { runtimeText } from '../../format/times';
import { Ago, useNow } from '../../parts/time';
import { CopyButton } from '../../parts/copy-button';
import { FitValue } from '../../state/fit-value';
import { SessionState } from '../../state/session-state';
import { stateOf } from '../../format/state-of';
import { RetentionPanel } from './retention-panel';
import { SteerPanel } from './steer/steer-panel';
import { cycleTexts, sessionTexts } from '../../texts/session';
import { listTexts } from '../../texts/sessions';
import { priorityTexts } from '../../texts/shell';
import { stageTexts } from '../../texts/states';
import { forkTexts } from '../../texts/fork';
import { Fact, Facts } from '../../parts/facts';
import { Note } from '../../parts/note';
import { kinds } from '../../theme/tones';

const Runtime = ({ from, to }: { readonly from: string; readonly to: string | undefined }): ReactElement => (
  <>{runtimeText(from, to, useNow())}</>
);

/** Ligands submitted without a file. */
const Ligands = ({ of: { ligands = [] } }: { readonly of: SessionView['request'] }): ReactElement =>
  ligands.length === 0 ? <></> : <Fact name={sessionTexts.ligands}>{ligands.map(ligandText).join(', ')}</Fact>;

const SessionFacts = ({
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
    <Facts>
      {fit !== undefined && (
        <Fact name={listTexts.columns.fit}>
          <FitValue fit={fit} definitions={definitions} />
        </Fact>
      )}
      {resolution !== undefined && <Fact name={sessionTexts.resolution}>{resolution.toFixed(2)} Å</Fact>}
      {spaceGroup !== undefined && <Fact name={sessionTexts.spaceGroup}>{plainLine(spaceGroup)}</Fact>}
      {request.priority !== 'standard' && <Fact name={priorityTexts.label}>{request.priority}</Fact>}
      <Fact name={sessionTexts.cycle}>
        {session.cycle} / {request.settings.max_cycles}
      </Fact>
      <Fact name={sessionTexts.runtime}>
        <Runtime from={createdAt} to={endedAt} />
      </Fact>
      {request.forkedFrom !== undefined && (
        <Fact name={forkTexts.from}>
          <IconGitFork size={14} aria-hidden="true" />
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
      {request.proposal !== '' && <Fact name={sessionTexts.proposal}>{request.proposal}</Fact>}
      {request.beamline !== '' && <Fact name={sessionTexts.beamline}>{request.beamline}</Fact>}
      {request.submitter !== '' && <Fact name={sessionTexts.submitter}>{plainLine(request.submitter)}</Fact>}
      <Fact name={sessionTexts.submitted}>
        <Ago at={createdAt} />
      </Fact>
    </Facts>
  );
};

/** The outcome and the advice, or the current activity. */
const StopReason = ({ session }: { readonly session: SessionView }): ReactElement => {
  const { outcome, stop, stage, status } = session;
  const current = session.cycles.at(-1);
  if (outcome !== undefined)
    return (
      <Note component="div" color={kinds[outcome.word][0]} data-testid="verdict">
        <p>
          <b>{outcome.sentence}</b>
        </p>
        {stop !== undefined && (
          <p>
            <Text component="span" fz="xs" fw={600} mr={6}>
              {sessionTexts.why}
            </Text>{' '}
            {plainLines(stop.detail)}
          </p>
        )}
        <p>
          <Text component="span" fz="xs" fw={600} mr={6}>
            {sessionTexts.next}
          </Text>{' '}
          {outcome.next}
        </p>
      </Note>
    );
  if (status !== 'running') return <></>;
  const waiting = waitingReason(session);
  return (
    <Note component="div" color="blue" data-testid="verdict">
      <p>
        <Text component="span" fz="xs" fw={600} mr={6}>
          {sessionTexts.now}
        </Text>{' '}
        {stage === 'executing' && current !== undefined ? `${current.decision.program}, ` : ''}
        {waiting === undefined ? (stageTexts[stage] ?? stage) : `${cycleTexts.waiting}: ${plainLines(waiting)}`}
      </p>
    </Note>
  );
};

const Guidance = ({ session }: { readonly session: SessionView }): ReactElement => {
  const { guidance } = session;
  if (guidance === undefined) return <></>;
  return (
    <Box data-testid="asked">
      <p>
        <Text component="span" c="dimmed" fz="xs" mr={6}>
          {sessionTexts.asked}
        </Text>{' '}
        <q>{plainLines(adviceText(session))}</q>
      </p>
      <ul className="bullets">
        {guidanceSentences(guidance).map((sentence, at) => (
          <li key={at}>{plainLines(sentence)}</li>
        ))}
      </ul>
    </Box>
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
    <Paper component="section" data-testid="head">
      <Stack gap="sm">
        <Group gap="sm">
          <SessionState kind={stateOf({ status, stage, cycle, outcome: outcome?.word, waiting })} />
          <h1>{plainLine(session.request.title) || session.id}</h1>
          {session.simulated && (
            <Tooltip label={sessionTexts.simulatedWhy}>
              <Badge
                component="span"
                color="grape"
                data-testid="simulated"
                leftSection={<IconFlask size={14} aria-hidden="true" />}
              >
                {sessionTexts.simulated}
              </Badge>
            </Tooltip>
          )}
          <Group component="span" gap={4} ml="auto" c="dimmed" ff="monospace" fz="xs">
            {session.id}
            <CopyButton text={session.id} label={sessionTexts.copyId} />
          </Group>
        </Group>
        {session.simulated && (
          <Alert color="grape" variant="light" icon={<IconFlask />}>
            {sessionTexts.simulatedWhy}
          </Alert>
        )}
        <SessionFacts {...shown} />
        <StopReason session={session} />
        <Guidance session={session} />
        <SteerPanel session={session} />
        {session.outcome !== undefined && <RetentionPanel key={session.id} id={session.id} />}
      </Stack>
    </Paper>
  );
};
