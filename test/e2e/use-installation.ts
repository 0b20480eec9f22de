import type { Session } from '@fleet/contracts/sessions';
import { useStarted } from '@fleet/testing';
import type { InputFolder } from './input-folder';
import { outcomeOf } from './outcome';
import { Standalone } from './standalone';

/** The shared installation with a folder for the files of one spec, and the outcome of a session that is followed to its end. */
export const useInstallation = (): {
  readonly standalone: Standalone;
  readonly inputs: InputFolder;
  readonly watched: (id: string) => Promise<Session>;
} => {
  const standalone = useStarted('file', () => Standalone.shared());
  const inputs = useStarted('file', () => standalone.inputFolder());
  const watched = async (id: string): Promise<Session> => {
    await standalone.phx('watch', id);
    return outcomeOf(standalone, id);
  };
  return { standalone, inputs, watched };
};
