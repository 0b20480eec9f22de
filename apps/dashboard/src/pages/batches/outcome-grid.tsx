import { Group, Paper } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { KeyboardEvent, ReactElement } from 'react';
import type { BatchResult } from '@fleet/contracts/batches';
import { metricText, plainLine, type MetricDefinitions } from '@fleet/session-report';
import { SessionState } from '../../state/session-state';
import { stateTexts } from '../../texts/states';
import { batchTexts } from '../../texts/batches';
import { byKind, type RowKind } from '../../format/row-kinds';
import css from './batches.module.css';

/** Maximum squares drawn per kind; the rest is in the hit list. */
const mostSquares = 600;

/** Arrow keys move within the squares of a group; the Tab key reaches one of them. */
const walk = (event: KeyboardEvent<HTMLElement>): void => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step === undefined) return;
  const squares = [...event.currentTarget.querySelectorAll('a')];
  const at = squares.findIndex((square) => square === document.activeElement);
  squares[Math.min(squares.length - 1, Math.max(0, at + step))]?.focus();
  event.preventDefault();
};

const nameOf = ({ row, session }: BatchResult, kind: RowKind, definitions: MetricDefinitions): string => {
  const fit = session?.fit;
  const value = fit === undefined ? '' : `, ${metricText(fit.metric, fit.value, definitions)}`;
  return `${plainLine(session?.title ?? '') || batchTexts.failures.row(row)}: ${stateTexts[kind].label}${value}`;
};

const Square = ({
  result,
  kind,
  isFirst,
  definitions,
}: {
  readonly result: BatchResult;
  readonly kind: RowKind;
  readonly isFirst: boolean;
  readonly definitions: MetricDefinitions;
}): ReactElement => {
  const name = nameOf(result, kind, definitions);
  const shown = {
    className: css.square,
    style: { background: `var(--kind-${kind})` },
    'data-testid': 'square',
    title: name,
    'aria-label': name,
    tabIndex: isFirst ? 0 : -1,
  };
  return result.session === undefined ? (
    <span {...shown} role="img" tabIndex={undefined} />
  ) : (
    <Link to="/sessions/$id" params={{ id: result.session.id }} search={{}} {...shown} />
  );
};

/** Every dataset as a square, by outcome. */
export const OutcomeGrid = ({
  id,
  results,
  definitions,
}: {
  readonly id: string;
  readonly results: readonly BatchResult[];
  readonly definitions: MetricDefinitions;
}): ReactElement => (
  <Paper component="section" data-testid="grid">
    <h2 title={batchTexts.gridHint}>{batchTexts.grid}</h2>
    {byKind(results).map((group) => (
      <div key={group.kind} className={css.group} data-kind={group.kind}>
        <Link to="/batches/$id" params={{ id }} search={{ show: group.kind }} resetScroll={false}>
          <SessionState kind={group.kind} /> <b>{group.results.length}</b>
        </Link>
        <Group component="ul" gap={3} pt={3} aria-label={stateTexts[group.kind].label} onKeyDown={walk}>
          {group.results.slice(0, mostSquares).map((result, at) => (
            <li key={result.row}>
              <Square result={result} kind={group.kind} isFirst={at === 0} definitions={definitions} />
            </li>
          ))}
          {group.results.length > mostSquares && (
            <li className="quiet small">{batchTexts.gridMore(group.results.length - mostSquares)}</li>
          )}
        </Group>
      </div>
    ))}
  </Paper>
);
