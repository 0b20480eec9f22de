import { Logger } from '@nestjs/common';
import { readFile, stat } from 'node:fs/promises';
import { everyProposal } from '@fleet/contracts/access';
import { failureText, Fault } from '@fleet/contracts/faults';
import { anyObject, closed, list, mistakesIn, record, text, type Described } from '@fleet/contracts/schema';

export const PROPOSAL_MEMBERS = Symbol('ProposalMembers');

/** Memberships of proposals, in addition to those of keys. */
export interface ProposalMembers {
  proposalsOf(owner: string): Promise<readonly string[]>;
  /** Beamlines of the proposal: their staff and their services may submit to it there. */
  beamlinesOf(proposal: string): Promise<readonly string[]>;
}

export const nobodysProposals: ProposalMembers = {
  proposalsOf: () => Promise.resolve([]),
  beamlinesOf: () => Promise.resolve([]),
};

const entrySchema = closed(record({}, { members: list(text()), beamlines: list(text()) }));
type Entry = Described<typeof entrySchema>;
type Members = ReadonlyMap<string, Entry>;

/** Parses the entry of a proposal: its members, or its members and its beamlines. */
const readEntry = (proposal: string, value: unknown, wrong: (mistake: string) => Fault): Entry => {
  // Only a key may name it.
  if (proposal === everyProposal) throw wrong(`"${everyProposal}" is not a proposal`);
  const entry = Array.isArray(value) ? { members: value as readonly unknown[] } : value;
  const [mistake] = mistakesIn(entrySchema, entry, { at: proposal });
  if (mistake !== undefined) throw wrong(`${mistake.field} ${mistake.reason}`);
  return entry as Entry;
};

/** Milliseconds until the file is checked again. */
const lookEveryMs = 5_000;

const layout =
  'an object of proposals, each with its members, {"mx1234": ["ada"]}, or also with its beamlines, {"mx1234": {"members": ["ada"], "beamlines": ["i04"]}}';

const readMembers = (content: string, path: string): Members => {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (cause) {
    throw new Fault('members.damaged', 'caller', `${path} is not JSON`, { cause });
  }
  const wrong = (mistake: string): Fault => new Fault('members.damaged', 'caller', `${path}: ${mistake}; ${layout}`);
  const [mistake] = mistakesIn(anyObject(), value);
  if (mistake !== undefined) throw wrong(`${mistake.field} ${mistake.reason}`);
  const entries = Object.entries(value as Readonly<Record<string, unknown>>);
  return new Map(entries.map(([proposal, entry]) => [proposal, readEntry(proposal, entry, wrong)]));
};

/**
 * Members of proposals from a file that the user office writes; a change takes effect within seconds. While the file is
 * damaged or missing, the last content is used, with a log message: a file server failure must not lock users out of
 * their own data.
 */
export class MembersFile implements ProposalMembers {
  private readonly logger = new Logger('Access');
  private known: {
    readonly of: ReadonlyMap<string, readonly string[]>;
    readonly members: Members;
    readonly stamp: string;
  };
  private lookAt = 0;
  private troubled = false;

  private constructor(
    private readonly path: string,
    private readonly now: () => number,
    first: MembersFile['known'],
  ) {
    this.known = first;
    this.lookAt = now() + lookEveryMs;
  }

  /** @throws Fault `members.damaged` (caller), or a system error: a gateway does not start with an unreadable file */
  static async open(path: string, now: () => number = Date.now): Promise<MembersFile> {
    return new MembersFile(path, now, await read(path));
  }

  async proposalsOf(owner: string): Promise<readonly string[]> {
    await this.refresh();
    return this.known.of.get(owner) ?? [];
  }

  async beamlinesOf(proposal: string): Promise<readonly string[]> {
    await this.refresh();
    return this.known.members.get(proposal)?.beamlines ?? [];
  }

  private async refresh(): Promise<void> {
    if (this.now() < this.lookAt) return;
    this.lookAt = this.now() + lookEveryMs;
    try {
      if ((await stampOf(this.path)) !== this.known.stamp) this.known = await read(this.path);
      this.troubled = false;
    } catch (error) {
      if (!this.troubled)
        this.logger.error({
          message: 'the members of proposals cannot be read; the last known members count',
          reason: failureText(error),
        });
      this.troubled = true;
    }
  }
}

const stampOf = async (path: string): Promise<string> => {
  const { mtimeMs, size, ino } = await stat(path);
  return [mtimeMs, size, ino].join(' ');
};

const read = async (path: string): Promise<MembersFile['known']> => {
  const stamp = await stampOf(path);
  const members = readMembers(await readFile(path, 'utf8'), path);
  const of = new Map<string, string[]>();
  for (const [proposal, { members: owners = [] }] of members)
    for (const owner of owners) of.set(owner, [...(of.get(owner) ?? []), proposal]);
  return { of, members, stamp };
};
