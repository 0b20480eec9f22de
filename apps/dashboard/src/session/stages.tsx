import type { ReactElement } from 'react';
import type { SessionView } from '@fleet/contracts';
import { texts } from '../texts';
import { CycleLink } from './cycle-link';
import { stepGroups, type StepGroup } from './step-groups';

/** As the PHENIX agent shows its stages. */
const marks: Readonly<Record<StepGroup['state'], string>> = { active: '●', complete: '✓', failed: '✗' };

const numbersText = (cycles: readonly number[]): string => {
  const [first, last] = [cycles.at(0), cycles.at(-1)];
  return first === last ? `cycle ${String(first)}` : `cycles ${String(first)}–${String(last)}`;
};

/** What the session went through, in order. */
export const Stages = ({ session }: { readonly session: SessionView }): ReactElement => (
  <section className="panel">
    <h2>{texts.session.stages}</h2>
    {session.cycles.length === 0 && <p className="quiet">{texts.session.noCycles}</p>}
    <ol className="stages">
      {stepGroups(session.cycles, session.status === 'running' || session.status === 'cancelling').map(
        ({ step, cycles, state }) => (
          <li key={cycles[0]} className={`stage stage-${state}`}>
            <span className="mark" role="img" aria-label={state}>
              {marks[state]}
            </span>
            <CycleLink id={session.id} cycle={cycles.at(-1) ?? 1} className="plain-link">
              {step.replaceAll('_', ' ')}
            </CycleLink>
            <span className="quiet small">{numbersText(cycles)}</span>
          </li>
        ),
      )}
    </ol>
  </section>
);
