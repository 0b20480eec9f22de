import type { ReactElement } from 'react';
import { shortName, type WallRow } from '@fleet/contracts/sessions';
import { metricLabel, metricText, plainLine, type MetricDefinitions } from '@fleet/session-report';
import { Ago, useNow } from '../../parts/time';
import { ageText } from '../../format/times';
import { Judged, Trend } from '../../state/fit-value';
import { SessionState } from '../../state/session-state';
import { Sparkline } from '../../state/sparkline';
import { stateOf } from '../../format/state-of';
import { listTexts } from '../../texts/sessions';
import { stageTexts } from '../../texts/states';
import { wallTexts } from '../../texts/wall';
import { waitsSince } from './wall-groups';
import css from './wall.module.css';

const Named = ({
  row,
  children,
}: {
  readonly row: WallRow;
  readonly children?: ReactElement | undefined;
}): ReactElement => (
  <span className={css.named}>
    <b>{plainLine(row.title) || row.id}</b>
    <span className="quiet">{children ?? plainLine(row.beamline)}</span>
  </span>
);

/** The main metric, and its trend. */
const Fit = ({
  row: { fit, fits },
  definitions,
}: {
  readonly row: WallRow;
  readonly definitions: MetricDefinitions;
}): ReactElement => {
  if (fit === undefined) return <span className="quiet">{listTexts.noFit(false)}</span>;
  const { metric, value, quality, trend } = fit;
  return (
    <span className={css.fit} data-testid="wall-fit">
      {fits !== undefined && <Sparkline metric={metric} values={fits} definitions={definitions} />}
      <b className="number">{metricText(metric, value, definitions)}</b>
      {trend !== undefined && <Trend trend={trend} isUpBetter={definitions[metric]?.better === 'higher'} />}
      <span className="quiet">
        {metricLabel(metric, definitions)}
        {quality !== undefined && (
          <>
            {' · '}
            <Judged as={quality}>{quality}</Judged>
          </>
        )}
      </span>
    </span>
  );
};

/** A running session. */
export const RunningRow = ({
  row,
  definitions,
}: {
  readonly row: WallRow;
  readonly definitions: MetricDefinitions;
}): ReactElement => (
  <>
    <Named row={row} />
    <span className={css.program}>
      <b>{row.program === undefined ? '' : shortName(row.program)}</b>
      {stateOf(row) === 'running' ? (
        <span className="quiet">{stageTexts[row.stage] ?? row.stage}</span>
      ) : (
        <SessionState kind={stateOf(row)} />
      )}
    </span>
    <span className={css.cycle}>
      <b>
        {row.cycle}
        {row.maxCycles !== undefined && <span className="quiet"> / {row.maxCycles}</span>}
      </b>
      <span className="quiet">{wallTexts.cycle}</span>
    </span>
    <Fit row={row} definitions={definitions} />
  </>
);

/** An ended session, with its age. */
export const EndedRow = ({
  row,
  definitions,
}: {
  readonly row: WallRow;
  readonly definitions: MetricDefinitions;
}): ReactElement => (
  <>
    <Named row={row}>
      <Ago at={row.endedAt ?? row.updatedAt} />
    </Named>
    <span className={css.result}>
      <SessionState kind={stateOf(row)} />
      {row.fit !== undefined && (
        <span>
          <span className="quiet">{metricLabel(row.fit.metric, definitions)}</span>{' '}
          <b className="number">{metricText(row.fit.metric, row.fit.value, definitions)}</b>
        </span>
      )}
    </span>
  </>
);

/** A session whose program waits, with its queue position and waiting time. */
export const WaitingRow = ({ row }: { readonly row: WallRow }): ReactElement => {
  const now = useNow(5000);
  const { queueStatus } = row;
  return (
    <>
      <Named row={row}>{queueStatus && <>{wallTexts.queued(queueStatus.position, queueStatus.of)}</>}</Named>
      <b className="number">{ageText(waitsSince(row), now)}</b>
    </>
  );
};
