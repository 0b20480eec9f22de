import { Paper, Stack } from '@mantine/core';
import type { ReactElement } from 'react';
import type { SessionView } from '@fleet/contracts/sessions';
import { sessionTexts } from '../../texts/session';
import { CycleLink } from './cycle-link';
import { stepGroups, type StepGroup } from './step-groups';
import css from './session.module.css';

/** The symbols of the PHENIX agent's stages. */
const marks: Readonly<Record<StepGroup['state'], string>> = { active: '●', complete: '✓', failed: '✗' };

const numbersText = (cycles: readonly number[]): string => {
  const [first, last] = [cycles.at(0), cycles.at(-1)];
  return first === last ? `cycle ${String(first)}` : `cycles ${String(first)}–${String(last)}`;
};

/** The stages of the session, in order. */
export const Stages = ({ session }: { readonly session: SessionView }): ReactElement => (
  <Paper component="section">
    <h2>{sessionTexts.stages}</h2>
    {session.cycles.length === 0 && <p className="quiet">{sessionTexts.noCycles}</p>}
    <Stack component="ol" gap={6} data-testid="stages">
      {stepGroups(session.cycles, session.status === 'running' || session.status === 'cancelling').map(
        ({ step, cycles, state }) => (
          <li key={cycles[0]} className={css.stage}>
            <span className={css.mark} data-mark={state} role="img" aria-label={state}>
              {marks[state]}
            </span>
            <CycleLink id={session.id} cycle={cycles.at(-1) ?? 1}>
              {step.replaceAll('_', ' ')}
            </CycleLink>
            <span className="quiet small">{numbersText(cycles)}</span>
          </li>
        ),
      )}
    </Stack>
  </Paper>
);
