import { Button, Group, Paper, Table } from '@mantine/core';
import type { ReactElement } from 'react';
import { plainLine } from '@fleet/session-report';
import { Listing } from '../../../parts/listing';
import { sceneTexts } from '../../../texts/scene';
import type { Site } from './density-view';
import type { NamedPeak, SceneState } from './open-scene';
import { leastHeight } from './peaks';
import type { Point } from './point';

type OnShow = (point: Point) => void;

const Ligands = ({ ligands, onShow }: { readonly ligands: readonly Site[]; readonly onShow: OnShow }): ReactElement => (
  <Paper component="section">
    <h2>
      {sceneTexts.ligands} <span className="quiet small">{ligands.length}</span>
    </h2>
    {ligands.length === 0 && <p className="quiet">{sceneTexts.noLigands}</p>}
    <Group component="ul" gap={6}>
      {ligands.map(({ name, position }) => (
        <li key={name}>
          <Button size="compact-sm" variant="default" onClick={() => onShow(position)}>
            {plainLine(name)}
          </Button>
        </li>
      ))}
    </Group>
  </Paper>
);

const Peaks = ({ peaks, onShow }: { readonly peaks: readonly NamedPeak[]; readonly onShow: OnShow }): ReactElement => (
  <Paper component="section">
    <h2>
      {sceneTexts.peaks} <span className="quiet small">{peaks.length}</span>
    </h2>
    <p className="quiet small">{sceneTexts.peaksWhy(leastHeight)}</p>
    {peaks.length === 0 ? (
      <p className="quiet">{sceneTexts.noPeaks}</p>
    ) : (
      <Listing isDense height="40vh" columns={Object.values(sceneTexts.peak)}>
        {peaks.map(({ height, atom, distance, position }, at) => (
          <Table.Tr key={at}>
            <Table.Td>
              <Button
                size="compact-sm"
                variant="default"
                data-testid="peak"
                c={height > 0 ? 'green' : 'red'}
                aria-label={sceneTexts.show(`${height.toFixed(1)} rms, ${plainLine(atom)}`)}
                onClick={() => onShow(position)}
              >
                {height > 0 ? '+' : '−'}
                {Math.abs(height).toFixed(1)}
              </Button>
            </Table.Td>
            <Table.Td>{plainLine(atom)}</Table.Td>
            <Table.Td className="number">{distance.toFixed(1)}</Table.Td>
          </Table.Tr>
        ))}
      </Listing>
    )}
  </Paper>
);

/** Interesting positions; a click moves there. */
export const MarkerLists = ({
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
