import type { ReactElement } from 'react';
import type { CycleRecord, SessionView, StoredEvent } from '@fleet/contracts/sessions';
import { commandText, pathBelow, plainLine } from '@fleet/session-report';
import { CopyButton } from '../../parts/copy-button';
import { cycleTexts } from '../../texts/session';
import { sourcedTokens } from './token-sources';
import css from './session.module.css';

/** The exact command, with the source of each word: on hover, and as a list. */
export const CycleCommand = ({
  session,
  cycle,
  events,
}: {
  readonly session: SessionView;
  readonly cycle: CycleRecord;
  readonly events: readonly StoredEvent[];
}): ReactElement => {
  const { decision } = cycle;
  const tokens = sourcedTokens(cycle, events).map(({ token, source }) => ({
    text: commandText([plainLine(token)]),
    source: source === undefined ? undefined : plainLine(source),
  }));
  const explained = tokens.filter(({ source }) => source !== undefined);
  return (
    <section>
      <h3>
        {cycleTexts.command}
        <CopyButton text={commandText(decision.argv)} label={cycleTexts.copy} />
      </h3>
      <pre data-testid="command">
        {tokens.map(({ text, source }, at) => (
          <span key={at}>
            {at > 0 && ' '}
            <span {...(source !== undefined && { className: css.token, 'data-testid': 'token' })} title={source}>
              {text}
            </span>
          </span>
        ))}
      </pre>
      <p className="quiet small">
        {cycleTexts.inputs}:{' '}
        {decision.inputs.map(({ slot, path }) => `${slot} ${plainLine(pathBelow(session.folder, path))}`).join(' · ')}
      </p>
      {explained.length > 0 && (
        <details>
          <summary>
            {cycleTexts.sources} <span className="quiet">{explained.length}</span>
          </summary>
          <ul className="bullets">
            {explained.map(({ text, source }, at) => (
              <li key={at}>
                <span className="mono">{text}</span> <span className="quiet">{source}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
};
