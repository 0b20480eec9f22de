import { isFault } from '@fleet/contracts/faults';
import { readManifest, type ManifestFormat } from '@fleet/manifest';
import { CliError } from '../../cli-error';
import { listedProblems } from '../../client/gateway-client';
import { exitCodes } from '../../exit-codes';

/**
 * Checks the beginning of a manifest before its batch is made, so that nothing is made for one that cannot be read.
 * @throws CliError `refused`
 */
export const checkManifest = async (file: string, bytes: Uint8Array, format: ManifestFormat): Promise<void> => {
  try {
    const { done } = await readManifest([bytes], format).next();
    if (done !== true) return;
  } catch (error) {
    if (!isFault(error)) throw error;
    throw new CliError(exitCodes.refused, `${file}: ${error.message}`, listedProblems(error.problems));
  }
  throw new CliError(
    exitCodes.refused,
    `${file} has no rows, so nothing was submitted. A CSV has a header and then a line for each dataset.`,
  );
};
