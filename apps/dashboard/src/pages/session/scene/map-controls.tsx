import { Button, Paper, Switch } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import { sceneTexts } from '../../../texts/scene';
import type { MapName } from './density-view';
import type { OpenScene, SceneState } from './open-scene';
import css from './scene.module.css';

const levels: Readonly<Record<MapName, { readonly from: number; readonly to: number }>> = {
  density: { from: 0.5, to: 8 },
  difference: { from: 2, to: 8 },
};

const MapControl = ({
  name,
  label,
  scene,
}: {
  readonly name: MapName;
  readonly label: string;
  readonly scene: OpenScene;
}): ReactElement => {
  const { from, to } = levels[name];
  const [visible, setVisible] = useState(true);
  // The wheel changes it as well; each change is reported below the picture, which renders this again.
  const level = scene.view.levelOf(name) ?? from;
  return (
    <div className={css.mapControl} data-testid="map-control">
      <Switch
        size="sm"
        label={label}
        checked={visible}
        onChange={({ currentTarget: { checked } }) => {
          setVisible(checked);
          scene.view.setVisible(name, checked);
        }}
      />
      <input
        type="range"
        aria-label={sceneTexts.level(label)}
        min={from}
        max={to}
        step={0.1}
        value={level}
        disabled={!visible}
        onChange={({ currentTarget: { value } }) => scene.view.setLevel(name, Number(value))}
      />
      <span className="number small">{level.toFixed(1)}</span>
    </div>
  );
};

/** Which maps are drawn, from which level on; and the way back to the whole model. */
export const MapControls = ({
  scene,
  state,
  isCoefficients,
  steps,
}: {
  readonly scene: OpenScene;
  readonly state: SceneState;
  readonly isCoefficients: boolean;
  readonly steps: () => number;
}): ReactElement => {
  const labels = isCoefficients ? sceneTexts.maps : { ...sceneTexts.maps, density: sceneTexts.maps.map };
  return (
    <Paper component="section">
      {state.maps.map((name) => (
        <MapControl key={name} name={name} label={labels[name]} scene={scene} />
      ))}
      <Button
        size="compact-sm"
        variant="default"
        disabled={state.ligands === undefined}
        onClick={() => scene.view.showAll(steps())}
      >
        {sceneTexts.centre}
      </Button>{' '}
      <Button
        size="compact-sm"
        variant="default"
        disabled={state.ligands === undefined}
        onClick={() => scene.view.nextResidue()}
      >
        {sceneTexts.next}
      </Button>
    </Paper>
  );
};
