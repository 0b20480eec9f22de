import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { ApiKey, Principal } from '@fleet/contracts/access';
import { scopesOfRole } from '@fleet/contracts/route';
import { anEvent, aNewSession, anId, anUpload, aRequest, aWebhook } from '@fleet/testing';
import { newKeyText } from '@fleet/keys';
import type { ProposalMembers } from '../../apps/gateway/src/auth/access/proposal-members';
import { GatewayHarness, type HarnessOptions } from './gateway-harness';

const day = 24 * 60 * 60 * 1000;
/** A time so many days from now. */
export const at = (days: number): string => new Date(Date.now() + days * day).toISOString();

/** A gateway with keys, each as its owner sends it. */
export class KeyedGateway extends GatewayHarness {
  /**
   * @param members proposals of each owner
   * @param beamlines of each proposal, as the facility says
   */
  static async withKeys(
    members: Readonly<Record<string, readonly string[]>> = {},
    options: HarnessOptions = {},
    beamlines: Readonly<Record<string, readonly string[]>> = {},
  ): Promise<KeyedGateway> {
    const proposalMembers: ProposalMembers = {
      proposalsOf: (owner) => Promise.resolve(members[owner] ?? []),
      beamlinesOf: (proposal) => Promise.resolve(beamlines[proposal] ?? []),
    };
    return new KeyedGateway(...(await GatewayHarness.parts({ ...options, members: proposalMembers })));
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
    await this.store.keys.create({ id, hash, owner, role, ...made, ...more });
    return { authorization: `Bearer ${text}` };
  }

  async batch(proposal: string): Promise<string> {
    const id = anId();
    const fields = { title: 'a batch', proposal, submitter: '', start: 'each', duplicates: 'submit' } as const;
    await this.store.batches.create({ id, ...fields, createdAt: new Date().toISOString() });
    return id;
  }

  async upload(proposal: string): Promise<string> {
    const upload = anUpload({ proposal });
    await this.store.uploads.add(upload, day, Number.MAX_SAFE_INTEGER);
    return upload.id;
  }

  async webhook(proposal: string): Promise<string> {
    const made = aWebhook({
      id: randomBytes(8).toString('hex'),
      about: { what: 'proposal', name: proposal },
      proposal,
    });
    await this.store.webhooks.create(made);
    return made.id;
  }

  async session(proposal: string, beamline = '', title = 'lysozyme'): Promise<string> {
    const id = anId();
    const request = aRequest({ proposal, beamline, title });
    const folder = join(this.work, proposal, id);
    await this.store.records.create(aNewSession({ id, folder, request }), [anEvent()], 1000);
    return id;
  }
}
