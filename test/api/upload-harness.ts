import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ProblemDetails } from '@fleet/contracts/sessions';
import { incomingFolder } from '@fleet/contracts/uploads';
import { eventually } from '@fleet/testing';
import { GatewayHarness, someReflections, type HarnessOptions } from './gateway-harness';
import { UploadClient } from './upload-client';

export const uploadRules = { maxFileBytes: 1_000_000, maxDayBytes: 2_000_000, keepHours: 1 };
/** A file that can be uploaded, and where its second half begins. */
export const data = Buffer.from(someReflections);
export const half = Math.floor(data.length / 2);
export const mtz = { filename: 'data.sca', proposal: 'mx1' };

export const until = async (look: () => Promise<boolean> | boolean): Promise<void> => {
  await eventually(String(look), look);
};

export const codeOf = async (answer: Response): Promise<readonly [number, string]> => [
  answer.status,
  ((await answer.json()) as ProblemDetails).code,
];

/** A gateway to which can be uploaded, and a client. */
export class Uploading {
  private constructor(
    readonly gateway: GatewayHarness,
    readonly client: UploadClient,
  ) {}

  static async start({ options, ...more }: HarnessOptions = {}): Promise<Uploading> {
    const gateway = await GatewayHarness.start({ options: { uploads: uploadRules, ...options }, ...more });
    return new Uploading(gateway, new UploadClient(await gateway.listen()));
  }

  stop(): Promise<void> {
    return this.gateway.stop();
  }

  /** Names of files that are not whole. */
  incoming(): readonly string[] {
    const folder = join(this.gateway.data, 'mx1', incomingFolder);
    return existsSync(folder) ? readdirSync(folder) : [];
  }

  /** Where a file is when it is whole. */
  whole(name = mtz.filename): string {
    return join(this.gateway.data, 'mx1', name);
  }
}
