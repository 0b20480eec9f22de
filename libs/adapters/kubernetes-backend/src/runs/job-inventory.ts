import type { InventoryEntry, RunInventory } from '@fleet/ports';
import { faultOf } from '../api/api-failure';
import type { ClusterApi } from '../api/cluster-api';
import { installationLabels, jobNameOf, keys, selectorOf } from '../job/job-labels';
import { isFinished, seenJob, type SeenJob } from '../watch/seen-objects';

/** The Jobs of this installation's runs that have not succeeded, read from the server. */
export class JobInventory implements RunInventory {
  private readonly selector: string;

  constructor(
    private readonly api: ClusterApi,
    installation: string,
  ) {
    this.selector = `${selectorOf(installationLabels(installation))},${keys.attempt}`;
  }

  async list(): Promise<readonly InventoryEntry[]> {
    try {
      const jobs = await this.api.listAll('jobs', this.selector);
      return jobs.flatMap((raw) => entryOf(seenJob(raw)));
    } catch (error) {
      throw faultOf(error);
    }
  }

  async remove(name: string): Promise<void> {
    try {
      await this.api.deleteJob(jobNameOf(name), 'Background');
    } catch (error) {
      throw faultOf(error);
    }
  }
}

/** Empty for a Job without annotations: its session is unknown. */
const entryOf = (job: SeenJob | undefined): readonly InventoryEntry[] => {
  const name = job?.annotations[keys.attempt];
  if (job === undefined || !name || job.deletedAt !== undefined) return [];
  const annotation = (key: string): string => job.annotations[key] ?? '';
  return [
    {
      name,
      owner: {
        sessionId: annotation(keys.session),
        cycle: Number(annotation(keys.cycle)),
        attempt: Number(annotation(keys.attemptNumber)),
        proposal: annotation(keys.proposal),
      },
      createdAt: new Date(job.createdAt ?? 0).toISOString(),
      ended: isFinished(job),
    },
  ];
};
