import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRedisServer } from '@fleet/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { script, type CommandResult } from '../e2e/facility';

interface Part {
  readonly pid: number;
  readonly port: number;
  readonly alive: boolean;
  readonly restarts?: number;
}

export interface ShownFacility {
  readonly redis: Part & { readonly url: string; readonly urlFile: string };
  readonly supervisor: Part;
  readonly services: Readonly<Record<string, Part>>;
}

/** `npm run facility` in a temporary folder, with no programs installed. */
export class LocalFacility {
  readonly top = mkdtempSync(join(tmpdir(), 'fleet-facility-'));
  readonly folder = join(this.top, 'facility');
  private readonly env: NodeJS.ProcessEnv;

  constructor(env: NodeJS.ProcessEnv = {}) {
    const programs = join(this.top, 'programs');
    for (const path of [programs, join(this.top, 'data')]) mkdirSync(path);
    symlinkSync(findRedisServer(), join(programs, 'valkey-server'));
    this.env = { FLEET_OPEN_PHENIX_DIR: programs, REDIS_URL: '', REDIS_URL_FILE: '', ...env };
  }

  run(verb: string, ...more: readonly string[]): Promise<CommandResult> {
    return script('facility.mjs', [verb, '--work', this.folder, ...more], this.env);
  }

  start(...more: readonly string[]): Promise<CommandResult> {
    return this.run('start', '--no-setup', '--data', join(this.top, 'data'), ...more);
  }

  async started(): Promise<ShownFacility> {
    const { code, stdout, stderr } = await this.start();
    if (code !== 0) throw new Error(`it did not start: ${stderr}`);
    return JSON.parse(stdout) as ShownFacility;
  }

  async status(): Promise<ShownFacility> {
    return JSON.parse((await this.run('status')).stdout) as ShownFacility;
  }

  /** Asks for the status until it is as wanted; the test's own time limit ends it. */
  async until(wanted: (state: ShownFacility) => boolean): Promise<ShownFacility> {
    for (;;) {
      const state = await this.status();
      if (wanted(state)) return state;
      await sleep(100);
    }
  }

  file(...names: readonly string[]): string {
    return readFileSync(join(this.folder, ...names), 'utf8');
  }

  async remove(): Promise<void> {
    await this.run('stop');
    rmSync(this.top, { recursive: true, force: true });
  }
}

export const partsOf = (state: ShownFacility): readonly Part[] => [
  ...Object.values(state.services),
  state.redis,
  state.supervisor,
];
