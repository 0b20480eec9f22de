import { Text } from '@mantine/core';
import { memo, useMemo, useState, type KeyboardEvent, type PointerEvent, type ReactElement } from 'react';
import { plainLine } from '@fleet/session-report';
import { qualityTexts } from '../../../texts/quality';
import { regionCounts, type Region, type ResidueClass, type Torsion } from './ramachandran';
import { regions } from './ramachandran-regions';
import css from './quality.module.css';

const { rama } = qualityTexts;
/** Margins of the plot in degrees, for its labels. */
const [left, right, below, above] = [44, 12, 38, 10] as const;
const box = { x: -180 - left, y: -180 - above, width: 360 + left + right, height: 360 + above + below } as const;
const ticks = [-180, -90, 0, 90, 180] as const;
/** Radius in degrees in which the pointer selects a point. */
const reach = 14;

/** A shape for each region, so that colour is not the only difference: dot, diamond, cross. */
const marks: Readonly<Record<Region, string>> = {
  favoured: 'h0',
  allowed: 'm-5.5,0l5.5,5.5l5.5,-5.5l-5.5,-5.5z',
  outlier: 'm-5,-5l10,10m0,-10l-10,10',
};

const Frame = (): ReactElement => (
  <g className={css.ramaAxes}>
    {ticks.map((tick) => (
      <g key={tick}>
        <path d={`M${String(tick)},-180V180M-180,${String(tick)}H180`} />
        <text x={tick} y={198} textAnchor="middle">
          {tick}
        </text>
        <text x={-187} y={-tick} textAnchor="end" dominantBaseline="central">
          {tick}
        </text>
      </g>
    ))}
    <text x={45} y={214} textAnchor="middle">
      φ
    </text>
    <text x={-212} y={-45} textAnchor="middle" dominantBaseline="central">
      ψ
    </text>
  </g>
);

const Regions = ({ kind }: { readonly kind: ResidueClass }): ReactElement => (
  <g transform="scale(1,-1)" fillRule="evenodd">
    <path className={css.ramaAllowedRegion} d={regions[kind].allowed} />
    <path className={css.ramaFavouredRegion} d={regions[kind].favoured} />
  </g>
);

const Points = memo(({ torsions }: { readonly torsions: readonly Torsion[] }): ReactElement => {
  const path = (wanted: Region): string =>
    torsions
      .filter(({ region }) => region === wanted)
      .map(({ phi, psi }) => `M${phi.toFixed(1)},${(-psi).toFixed(1)}${marks[wanted]}`)
      .join('');
  return (
    <>
      <path className={css.ramaFavoured} d={path('favoured')} />
      <path className={css.ramaAllowed} d={path('allowed')} />
      <path className={css.ramaOutlier} d={path('outlier')} />
    </>
  );
});

const nearest = (torsions: readonly Torsion[], phi: number, psi: number): number | undefined => {
  const distances = torsions.map((torsion) => Math.hypot(torsion.phi - phi, torsion.psi - psi));
  const least = distances.reduce((best, distance) => Math.min(best, distance), reach);
  const at = distances.indexOf(least);
  return at === -1 ? undefined : at;
};

const stepOf = (key: string, at: number, last: number): number | undefined => {
  if (key === 'ArrowRight' || key === 'ArrowDown') return Math.min(last, at + 1);
  if (key === 'ArrowLeft' || key === 'ArrowUp') return Math.max(0, at - 1);
  if (key === 'Home') return 0;
  return key === 'End' ? last : undefined;
};

interface Plotted {
  readonly kind: ResidueClass;
  readonly torsions: readonly Torsion[];
  readonly onOpen: (torsion: Torsion) => void;
}

/** The residue selected by the pointer or the keys, and the handlers. */
const useMarked = ({ torsions, onOpen }: Plotted) => {
  const [at, setAt] = useState<number>();
  const marked = torsions[at ?? -1];
  const open = (): void => {
    if (marked !== undefined) onOpen(marked);
  };
  const onPointerMove = ({ currentTarget, clientX, clientY }: PointerEvent<SVGSVGElement>): void => {
    const { left: x, top: y, width } = currentTarget.getBoundingClientRect();
    const perPixel = box.width / width;
    setAt(nearest(torsions, (clientX - x) * perPixel + box.x, -((clientY - y) * perPixel + box.y)));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = stepOf(event.key, at ?? -1, torsions.length - 1);
    if (next !== undefined) setAt(next);
    else if (event.key === 'Enter') open();
    else return;
    event.preventDefault();
  };
  return { marked, open, onPointerMove, onKeyDown };
};

/** The residues of one class, the selected one, and a link to it in 3D. */
export const RamachandranPlot = (plotted: Plotted): ReactElement => {
  const { kind, torsions } = plotted;
  const { marked, open, onPointerMove, onKeyDown } = useMarked(plotted);
  const counts = useMemo(() => {
    const { favoured, allowed, outlier } = regionCounts(torsions);
    return rama.counts(favoured, allowed, outlier);
  }, [torsions]);
  const title = rama.classes[kind];
  return (
    <div className={css.ramaPlot} data-testid="rama-plot" data-class={kind}>
      <h3>
        {title} <span className="quiet small">{counts}</span>
      </h3>
      <div role="application" tabIndex={0} aria-label={rama.plot(title, counts)} onKeyDown={onKeyDown}>
        <svg
          viewBox={`${String(box.x)} ${String(box.y)} ${String(box.width)} ${String(box.height)}`}
          aria-hidden="true"
          {...(marked !== undefined && { 'data-over': true })}
          onPointerMove={onPointerMove}
          onClick={open}
        >
          <Regions kind={kind} />
          <Frame />
          <Points torsions={torsions} />
          {marked !== undefined && (
            <circle className={css.ramaMarked} data-testid="rama-marked" cx={marked.phi} cy={-marked.psi} r={9} />
          )}
        </svg>
      </div>
      <Text className={css.ramaSaid} fz="xs" aria-live="polite">
        {marked !== undefined && rama.point(plainLine(marked.name), marked.phi, marked.psi, marked.region)}
      </Text>
    </div>
  );
};
