import { Paper, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { SessionView } from '@fleet/contracts/sessions';
import { fetchResults } from '../../../api/calls';
import { Pending } from '../../../parts/failure';
import { DownloadFile } from './download-file';
import type { Point } from './point';
import { Scene } from './scene';
import { isDrawn, sceneFiles, type SceneFile, type SceneFiles } from './scene-files';

const drawnOnly = (file: SceneFile | undefined): SceneFile | undefined =>
  file !== undefined && isDrawn(file) ? file : undefined;

const pointOf = (text: string): Point => {
  const [x = 0, y = 0, z = 0] = text.split(',').map(Number);
  return [x, y, z];
};

/** The drawn files, and the others as downloads with the reason. */
const Found = ({ files: { model, map, problems } }: { readonly files: SceneFiles }): ReactElement => {
  const { at } = useSearch({ from: '/sessions/$id' });
  const [drawnModel, drawnMap] = [drawnOnly(model), drawnOnly(map)];
  const others = [model, map].filter((file) => file !== undefined && !isDrawn(file)) as readonly SceneFile[];
  return (
    <>
      {problems.length > 0 && (
        <Paper component="section">
          <Stack gap="xs" align="flex-start">
            {problems.map((problem) => (
              <p key={problem} role="status">
                {problem}
              </p>
            ))}
            {others.map((file) => (
              <DownloadFile key={file.href} file={file} />
            ))}
          </Stack>
        </Paper>
      )}
      {(drawnModel ?? drawnMap) !== undefined && (
        <Scene
          key={`${drawnModel?.href ?? ''} ${drawnMap?.href ?? ''}`}
          model={drawnModel}
          map={drawnMap}
          at={at === undefined ? undefined : pointOf(at)}
        />
      )}
    </>
  );
};

/** The best model of a session with its maps in 3D, or why they are not drawn. */
export const ScenePanel = ({ session }: { readonly session: SessionView }): ReactElement => {
  const { id, cycle } = session;
  const results = useQuery({
    queryKey: ['session', id, 'results', cycle],
    queryFn: ({ signal }) => fetchResults(id, signal),
  });
  const { data } = results;
  if (data !== undefined) return <Found files={sceneFiles(session, data)} />;
  return <Pending query={results} height={480} />;
};
