import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { scopesOfRole } from '@fleet/access';
import type { ApiKey, Principal } from '@fleet/contracts';
import { anEvent, aNewSession, anId, anUpload, aRequest, aWebhook, MemoryAccessKeys } from '@fleet/testing';
import { newKeyText } from '../../apps/gateway/src/access/key-text';
import { GatewayHarness, type HarnessOptions } from './gateway-harness';

const day = 24 * 60 * 60 * 1000;
/** A time so many days from now. */
export const at = (days: number): string => new Date(Date.now() + days * day).toISOString();

/** A gateway with keys, each as its owner sends it. */
export class Door {
  private constructor(
    readonly gateway: GatewayHarness,
    readonly keys: MemoryAccessKeys,
  ) {}

  /**
   * @param members proposals of each owner
   * @param beamlines of each proposal, as the facility says
   */
  static async start(
    members: Readonly<Record<string, readonly string[]>> = {},
    options: HarnessOptions = {},
    beamlines: Readonly<Record<string, readonly string[]>> = {},
  ): Promise<Door> {
    const keys = new MemoryAccessKeys();
    const gateway = await GatewayHarness.start({
      ...options,
      keys,
      members: {
        proposalsOf: (owner) => Promise.resolve(members[owner] ?? []),
        beamlinesOf: (proposal) => Promise.resolve(beamlines[proposal] ?? []),
      },
    });
    return new Door(gateway, keys);
  }

  async key(owner: string, role: Principal['role'], more: Partial<ApiKey> = {}): Promise<Record<string, string>> {
    const { id, text, hash } = newKeyText();
    const scopes = scopesOfRole(role);
    const made = {
      label: '',
      proposals: [],
      beamlines: [],
      scopes,
      createdAt: at(-10),
      createdBy: '',
      expiresAt: at(10),
    };
    await this.keys.create({ id, hash, owner, role, ...made, ...more });
    return { authorization: `Bearer ${text}` };
  }

  async batch(proposal: string): Promise<string> {
    const id = anId();
    const said = { title: 'a batch', proposal, submitter: '', start: 'each', duplicates: 'submit' } as const;
    await this.gateway.store.batches.create({ id, ...said, createdAt: new Date().toISOString() });
    return id;
  }

  async upload(proposal: string): Promise<string> {
    const upload = anUpload({ proposal });
    await this.gateway.uploads.add(upload, day, Number.MAX_SAFE_INTEGER);
    return upload.id;
  }

  async webhook(proposal: string): Promise<string> {
    const made = aWebhook({
      id: randomBytes(8).toString('hex'),
      about: { what: 'proposal', name: proposal },
      proposal,
    });
    await this.gateway.webhooks.create(made);
    return made.id;
  }

  async session(proposal: string, beamline = '', title = 'lysozyme'): Promise<string> {
    const id = anId();
    const request = aRequest({ proposal, beamline, title });
    const folder = join(this.gateway.work, proposal, id);
    await this.gateway.store.records.create(aNewSession({ id, folder, request }), [anEvent()], 1000);
    return id;
  }
}
