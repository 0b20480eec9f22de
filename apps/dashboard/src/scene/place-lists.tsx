import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import { plainLine } from '@fleet/session-report';
import { Listing } from '../shell/listing';
import { sceneTexts } from '../texts-scene';
import type { Site } from './density-view';
import type { NamedPeak, SceneState } from './open-scene';
import { leastHeight } from './peaks';
import type { Point } from './point';

type OnShow = (place: Point) => void;

const Ligands = ({ ligands, onShow }: { readonly ligands: readonly Site[]; readonly onShow: OnShow }): ReactElement => (
  <section className="panel">
    <h2>
      {sceneTexts.ligands} <span className="quiet small">{ligands.length}</span>
    </h2>
    {ligands.length === 0 && <p className="quiet">{sceneTexts.noLigands}</p>}
    <ul className="places">
      {ligands.map(({ name, position }) => (
        <li key={name}>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => {
              onShow(position);
            }}
          >
            {plainLine(name)}
          </Button>
        </li>
      ))}
    </ul>
  </section>
);

const Peaks = ({ peaks, onShow }: { readonly peaks: readonly NamedPeak[]; readonly onShow: OnShow }): ReactElement => (
  <section className="panel">
    <h2>
      {sceneTexts.peaks} <span className="quiet small">{peaks.length}</span>
    </h2>
    <p className="quiet small">{sceneTexts.peaksWhy(leastHeight)}</p>
    {peaks.length === 0 ? (
      <p className="quiet">{sceneTexts.noPeaks}</p>
    ) : (
      <Listing className="peaks" frame="peaks-frame" columns={Object.values(sceneTexts.peak)}>
        {peaks.map(({ height, atom, distance, position }, at) => (
          <tr key={at}>
            <td>
              <button
                type="button"
                className={height > 0 ? 'peak peak-above' : 'peak peak-below'}
                aria-label={sceneTexts.show(`${height.toFixed(1)} rms, ${plainLine(atom)}`)}
                onClick={() => {
                  onShow(position);
                }}
              >
                {height > 0 ? '+' : '−'}
                {Math.abs(height).toFixed(1)}
              </button>
            </td>
            <td>{plainLine(atom)}</td>
            <td className="number">{distance.toFixed(1)}</td>
          </tr>
        ))}
      </Listing>
    )}
  </section>
);

/** What is worth looking at; a click goes there. */
export const PlaceLists = ({
  state: { ligands, peaks },
  onShow,
}: {
  readonly state: SceneState;
  readonly onShow: OnShow;
}): ReactElement => (
  <>
    {ligands !== undefined && <Ligands ligands={ligands} onShow={onShow} />}
    {peaks !== undefined && <Peaks peaks={peaks} onShow={onShow} />}
  </>
);
