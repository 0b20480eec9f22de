import { Logger } from '@nestjs/common';
import { readFile, stat } from 'node:fs/promises';
import { failureText, Fault, list, mapOf, mistakesIn, text, type Described } from '@fleet/contracts';

export const PROPOSAL_MEMBERS = Symbol('ProposalMembers');

/** Who belongs to which proposals, beside what keys say. */
export interface ProposalMembers {
  proposalsOf(owner: string): Promise<readonly string[]>;
}

export const nobodysProposals: ProposalMembers = { proposalsOf: () => Promise.resolve([]) };

const fileSchema = mapOf(list(text()), 'proposals, each with the owners of keys that belong to it');
type Members = Described<typeof fileSchema>;

/** Milliseconds after which the file is looked at again. */
const lookEveryMs = 5_000;

const readMembers = (content: string, path: string): Members => {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (cause) {
    throw new Fault('members.damaged', 'caller', `${path} is not JSON`, { cause });
  }
  const [mistake] = mistakesIn(fileSchema, value);
  if (mistake === undefined) return value as Members;
  throw new Fault(
    'members.damaged',
    'caller',
    `${path}: ${mistake.field} ${mistake.reason}; it holds proposals, each with a list of owners: {"mx1234": ["ada"]}`,
  );
};

/**
 * Members of proposals out of a file that the user office writes; a change counts within seconds. While the file is damaged or away, what
 * was read last counts, and the log says so: a file server's trouble shuts nobody out of their own data.
 */
export class MembersFile implements ProposalMembers {
  private readonly logger = new Logger('Access');
  private known: { readonly of: ReadonlyMap<string, readonly string[]>; readonly stamp: string };
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

  /** @throws Fault `members.damaged` (caller), or an error of the system: a gateway does not start with a file that it cannot read */
  static async open(path: string, now: () => number = Date.now): Promise<MembersFile> {
    return new MembersFile(path, now, await read(path));
  }

  async proposalsOf(owner: string): Promise<readonly string[]> {
    if (this.now() >= this.lookAt) {
      this.lookAt = this.now() + lookEveryMs;
      await this.refresh();
    }
    return this.known.of.get(owner) ?? [];
  }

  private async refresh(): Promise<void> {
    try {
      if ((await stampOf(this.path)) !== this.known.stamp) this.known = await read(this.path);
      this.troubled = false;
    } catch (error) {
      if (!this.troubled)
        this.logger.error({
          message: 'the members of proposals cannot be read; those that were read last count',
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
  for (const [proposal, owners] of Object.entries(members))
    for (const owner of owners) of.set(owner, [...(of.get(owner) ?? []), proposal]);
  return { of, stamp };
};
