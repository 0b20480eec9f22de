import type { ReactElement } from 'react';
import type { CycleRecord, SessionView, StoredEvent } from '@fleet/contracts';
import { commandText, pathBelow, plainLine } from '@fleet/session-report';
import { CopyButton } from '../shell/copy-button';
import { texts } from '../texts';
import { sourcedTokens } from './token-sources';

/** The exact command, each word with where it comes from: on hover, and as a list for those who do not hover. */
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
  const told = tokens.filter(({ source }) => source !== undefined);
  return (
    <section>
      <h3>
        {texts.cycle.command}
        <CopyButton text={commandText(decision.argv)} label={texts.cycle.copy} />
      </h3>
      <pre className="command">
        {tokens.map(({ text, source }, at) => (
          <span key={at}>
            {at > 0 && ' '}
            <span className={source === undefined ? undefined : 'token'} title={source}>
              {text}
            </span>
          </span>
        ))}
      </pre>
      <p className="quiet small">
        {texts.cycle.inputs}:{' '}
        {decision.inputs.map(({ slot, path }) => `${slot} ${plainLine(pathBelow(session.folder, path))}`).join(' · ')}
      </p>
      {told.length > 0 && (
        <details className="more">
          <summary>
            {texts.cycle.sources} <span className="quiet">{told.length}</span>
          </summary>
          <ul className="others">
            {told.map(({ text, source }, at) => (
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
