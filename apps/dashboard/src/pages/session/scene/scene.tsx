import { Alert, Badge, Group, Stack, useComputedColorScheme } from '@mantine/core';
import { IconFlask } from '@tabler/icons-react';
import { useEffect, useRef, useState, type ReactElement } from 'react';
import { plainLine } from '@fleet/session-report';
import { sceneTexts } from '../../../texts/scene';
import { DownloadFile } from './download-file';
import { MapControls } from './map-controls';
import { newScene, OpenScene, type Opened, type SceneState } from './open-scene';
import type { Point } from './point';
import { MarkerLists } from './marker-lists';
import type { SceneFile } from './scene-files';
import css from './scene.module.css';
import { Columns } from '../../../parts/columns';

const hasWebGl = (): boolean => {
  const context = document.createElement('canvas').getContext('webgl');
  context?.getExtension('WEBGL_lose_context')?.loseContext();
  return context !== null;
};

/** Animation frames of a move to another position. */
const stepsToGo = (): number => (matchMedia('(prefers-reduced-motion: reduce)').matches ? 1 : 30);

interface SceneHandle {
  readonly state: SceneState;
  readonly said: string;
  readonly scene: OpenScene | undefined;
}

/** The scene in a frame of the page, while it is shown. */
const useScene = (frame: React.RefObject<HTMLDivElement | null>, { model, map, at }: Opened): SceneHandle => {
  const scheme = useComputedColorScheme('light');
  const [state, setState] = useState<SceneState>(newScene);
  const [said, setSaid] = useState('');
  const [scene, setScene] = useState<OpenScene>();
  useEffect(() => {
    if (frame.current === null) return undefined;
    if (!hasWebGl()) {
      setState({ ...newScene, problem: sceneTexts.noWebGl });
      return undefined;
    }
    const onLost = (): void => setState((now) => ({ ...now, problem: sceneTexts.lost }));
    const opened = new OpenScene(frame.current, { scheme, onMessage: setSaid, onLost }, setState);
    setScene(opened);
    void opened.open({ model, map, at });
    return () => opened.end();
  }, [model?.href, map?.href]);
  useEffect(() => {
    scene?.view.setScheme(scheme);
  }, [scene, scheme]);
  return { state, said, scene };
};

const Made = ({ file }: { readonly file: SceneFile }): ReactElement => (
  <Group component="span" gap="sm">
    <DownloadFile file={file} />
    <span className="quiet small">
      {file.program === undefined
        ? sceneTexts.submitted
        : sceneTexts.fromCycle(plainLine(file.program), file.file.cycle)}
    </span>
    {file.simulated && (
      <Badge component="span" color="grape" data-testid="simulated">
        <IconFlask size={14} aria-hidden="true" />
        {sceneTexts.simulated}
      </Badge>
    )}
  </Group>
);

const Status = ({
  state,
  model,
}: {
  readonly state: SceneState;
  readonly model: SceneFile | undefined;
}): ReactElement => {
  if (state.problem !== undefined)
    return (
      <Alert color="red" variant="light" role="alert">
        {plainLine(state.problem)}
      </Alert>
    );
  if (model !== undefined && state.ligands === undefined) return <p role="status">{sceneTexts.loading}</p>;
  return <p role="status">{state.isMapping ? sceneTexts.mapping : ''}</p>;
};

const isOtherCycle = ({ model, map }: Pick<Opened, 'model' | 'map'>): boolean =>
  model !== undefined && map?.file.facts.mtz !== undefined && map.file.cycle !== model.file.cycle;

/** A model with its maps, and lists of interesting positions. */
export const Scene = ({ model, map, at }: Opened): ReactElement => {
  const frame = useRef<HTMLDivElement>(null);
  const { state, said, scene } = useScene(frame, { model, map, at });
  const show = (point: Point): void => {
    scene?.goTo(point, stepsToGo());
    frame.current?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <div data-testid="scene" data-maps={state.maps.join(' ')} data-mapping={state.isMapping}>
      <Columns of="4fr 1fr">
        <Stack gap="xs">
          <div
            ref={frame}
            className={css.frame}
            data-testid="scene-frame"
            role="group"
            aria-label={sceneTexts.drawing}
          />
          <p className="small" aria-live="polite">
            {plainLine(said)}
          </p>
          <Status state={state} model={model} />
          <p className="quiet small">{sceneTexts.how}</p>
          <Group gap="sm">
            {model !== undefined && <Made file={model} />}
            {map !== undefined && <Made file={map} />}
          </Group>
          {isOtherCycle({ model, map }) && <p className="small">{sceneTexts.otherCycle}</p>}
        </Stack>
        <Stack gap="xs">
          {scene !== undefined && (
            <MapControls
              scene={scene}
              state={state}
              isCoefficients={map?.file.facts.mtz !== undefined}
              steps={stepsToGo}
            />
          )}
          <MarkerLists state={state} onShow={show} />
        </Stack>
      </Columns>
    </div>
  );
};
