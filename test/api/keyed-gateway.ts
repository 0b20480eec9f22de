import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { ApiKey, Principal } from '@fleet/contracts/access';
import { scopesOfRole } from '@fleet/contracts/route';
import { anEvent, aNewSession, anId, anUpload, aRequest, aWebhook } from '@fleet/testing';
import { newKeyText } from '@fleet/keys';
import { GatewayHarness, type HarnessOptions } from './gateway-harness';

const day = 24 * 60 * 60 * 1000;
/** A time so many days from now. */
export const at = (days: number): string => new Date(Date.now() + days * day).toISOString();

/** A gateway with keys, each as its owner sends it. */
export class KeyedGateway {
  private constructor(readonly gateway: GatewayHarness) {}

  /**
   * @param members proposals of each owner
   * @param beamlines of each proposal, as the facility says
   */
  static async start(
    members: Readonly<Record<string, readonly string[]>> = {},
    options: HarnessOptions = {},
    beamlines: Readonly<Record<string, readonly string[]>> = {},
  ): Promise<KeyedGateway> {
    const gateway = await GatewayHarness.start({
      ...options,
      members: {
        proposalsOf: (owner) => Promise.resolve(members[owner] ?? []),
        beamlinesOf: (proposal) => Promise.resolve(beamlines[proposal] ?? []),
      },
    });
    return new KeyedGateway(gateway);
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
    await this.gateway.store.keys.create({ id, hash, owner, role, ...made, ...more });
    return { authorization: `Bearer ${text}` };
  }

  async batch(proposal: string): Promise<string> {
    const id = anId();
    const fields = { title: 'a batch', proposal, submitter: '', start: 'each', duplicates: 'submit' } as const;
    await this.gateway.store.batches.create({ id, ...fields, createdAt: new Date().toISOString() });
    return id;
  }

  async upload(proposal: string): Promise<string> {
    const upload = anUpload({ proposal });
    await this.gateway.store.uploads.add(upload, day, Number.MAX_SAFE_INTEGER);
    return upload.id;
  }

  async webhook(proposal: string): Promise<string> {
    const made = aWebhook({
      id: randomBytes(8).toString('hex'),
      about: { what: 'proposal', name: proposal },
      proposal,
    });
    await this.gateway.store.webhooks.create(made);
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
