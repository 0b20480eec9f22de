import type { SessionOutcome, SessionStatus } from '@fleet/contracts';
import type { SessionGroup } from '@fleet/ports';

/** Names of all keys of the session store. */
export interface Keys {
  readonly session: (id: string) => string;
  readonly transitions: (id: string) => string;
  readonly events: (id: string) => string;
  /** Channel on which a new event of a session is announced. */
  readonly news: (id: string) => string;
  /** Stream of the last moves of all sessions, and the channel on which they are announced. */
  readonly feed: string;
  readonly outbox: string;
  readonly due: string;
  /** Sorted set of sessions that have ended and are not archived, by the time of their end. */
  readonly ended: string;
  readonly programs: (backend: string) => string;
  /** What an executor has found at its site, and the last trial that was asked for (hash). */
  readonly doctor: { readonly look: string; readonly trial: string };
  /**
   * Places for runs: what each holds (hash), how many hold each (hash), since when others wait (sorted set), which of them wait here
   * (sorted set) or are stuck (set), what each is (hash), when it got its place (hash), starts of a day, turns, a few
   * numbers, when it came (hashes).
   */
  readonly slots: SlotKeys;
  /** Whether programs may be launched. */
  readonly launches: string;
  /** Windows for maintenance, by their ids (hash). */
  readonly maintenance: string;
  /** How slots are shared, as an administrator has said it. */
  readonly shares: string;
  /** Which installation these keys belong to. */
  readonly installation: string;
  /** Runs that no record wants: what they are (hash), how often they were seen (hash), and which are to go (set). */
  readonly orphans: { readonly found: string; readonly strikes: string; readonly removing: string };
  /** How far sessions are filed under their outcome, submitter and batch (see `IndexFiling`). */
  readonly filed: string;
  /**
   * Keys of the API: what each is (hash), which were taken back (hash), and when each was used last (hash). Buckets of requests: what is
   * left in each, and when that was (hash). What the user office has answered.
   */
  readonly access: {
    readonly keys: string;
    readonly revoked: string;
    readonly used: string;
    readonly rate: (bucket: string) => string;
    readonly members: (question: string) => string;
  };
  /** Of uploads: each (hash), who writes to it, and the bytes of a proposal's day; all of it ends by itself. */
  readonly uploads: {
    readonly upload: (id: string) => string;
    readonly writer: (id: string) => string;
    readonly day: (proposal: string) => string;
  };
  /** What is kept of the login of a browser; it ends by itself. */
  readonly login: (name: string) => string;
  /**
   * Of language models: what was asked for a session and what came of it (hash), who does a work just now, and what was spent for a proposal
   * and on a day (hashes; a day's has the number of the day behind it), which targets are in trouble (hashes), and which sessions they are to
   * assess: what is wished for (hash), and when each may be taken (sorted set). Of questions from processes without models: whose models there
   * are, when each question may be taken (sorted set), what is asked and answered, and replies by what was asked (all but the set lapse).
   */
  readonly models: {
    readonly ledger: (id: string) => string;
    readonly held: (id: string, work: string) => string;
    readonly ofProposal: (proposal: string) => string;
    readonly days: string;
    readonly target: (id: string) => string;
    readonly wishes: string;
    readonly dueWishes: string;
    readonly providers: string;
    readonly dueInquiries: string;
    readonly inquiries: string;
    readonly reply: (provider: string, hash: string) => string;
  };
  /** All webhooks (hash); what else is kept of them begins so too (see `webhooks/notices.lua.ts`). */
  readonly hooks: string;
  /** Sorted set of what sessions are called by (see `calledNames`). */
  readonly called: string;
  /** Sorted sets of listed names (see `listedName`): all sessions, those of a status, of a proposal and so on. */
  readonly all: string;
  readonly ofStatus: (status: SessionStatus) => string;
  readonly ofProposal: (proposal: string) => string;
  readonly ofBeamline: (beamline: string) => string;
  readonly ofOutcome: (outcome: SessionOutcome) => string;
  readonly ofBatch: (batch: string) => string;
  readonly batches: BatchKeys;
  readonly ofSubmitter: (submitter: string) => string;
  /** Sessions that were submitted with the same content, by its digest (see `contentDigests`). */
  readonly ofContent: (digest: string) => string;
  /** The indexes each of which has every session of a group; at least one. */
  readonly indexesFor: (group: SessionGroup) => readonly [string, ...string[]];
}

/** Keys of batches; those of one batch begin with its own. */
interface BatchKeys {
  readonly batch: (id: string) => string;
  /** Its rows: what has become of each, what each says, which content is there already (hashes), and when each is due (sorted set). */
  readonly rows: (id: string) => string;
  readonly contents: (id: string) => string;
  readonly digests: (id: string) => string;
  readonly dueRows: (id: string) => string;
  /** Sorted set of batches with rows that are due, and sorted sets of listed names: all batches, and those of a proposal. */
  readonly due: string;
  /** Who is about to start a session of this content. */
  readonly held: (digest: string) => string;
  readonly all: string;
  readonly ofProposal: (proposal: string) => string;
}

const batchKeysOf = (prefix: string): BatchKeys => {
  const batch = (id: string): string => `${prefix}:b:${id}`;
  return {
    batch,
    rows: (id) => `${batch(id)}:rows`,
    contents: (id) => `${batch(id)}:contents`,
    digests: (id) => `${batch(id)}:digests`,
    dueRows: (id) => `${batch(id)}:due`,
    due: `${prefix}:batches:due`,
    held: (digest) => `${prefix}:batches:held:${digest}`,
    all: `${prefix}:batches`,
    ofProposal: (proposal) => `${prefix}:batches:of:${escaped(proposal)}`,
  };
};

interface SlotKeys {
  readonly held: string;
  readonly counts: string;
  readonly waiting: string;
  readonly line: string;
  readonly stuck: string;
  readonly runs: string;
  readonly from: string;
  readonly days: string;
  readonly turns: string;
  readonly numbers: string;
  readonly arrivals: string;
}

export const keysOf = (prefix: string): Keys => {
  const indexes = indexKeysOf(prefix);
  return {
    ...indexes,
    batches: batchKeysOf(prefix),
    indexesFor: ({ status, outcome, proposal, beamline, batch, submitter }) => {
      const [first = indexes.all, ...others] = [
        status === undefined ? undefined : indexes.ofStatus(status),
        outcome === undefined ? undefined : indexes.ofOutcome(outcome),
        proposal === undefined ? undefined : indexes.ofProposal(proposal),
        beamline === undefined ? undefined : indexes.ofBeamline(beamline),
        batch === undefined ? undefined : indexes.ofBatch(batch),
        submitter === undefined ? undefined : indexes.ofSubmitter(submitter),
      ].filter((index) => index !== undefined);
      return [first, ...others];
    },
    session: (id) => `${prefix}:s:${id}`,
    transitions: (id) => `${prefix}:t:${id}`,
    events: (id) => `${prefix}:e:${id}`,
    news: (id) => `${prefix}:n:${id}`,
    feed: `${prefix}:feed`,
    outbox: `${prefix}:outbox`,
    due: `${prefix}:due`,
    ended: `${prefix}:ended`,
    called: `${prefix}:called`,
    filed: `${prefix}:filed`,
    programs: (backend) => `${prefix}:programs:${backend}`,
    doctor: { look: `${prefix}:doctor:look`, trial: `${prefix}:doctor:trial` },
    slots: slotKeysOf(prefix),
    launches: `${prefix}:launches`,
    maintenance: `${prefix}:maintenance`,
    shares: `${prefix}:shares`,
    installation: `${prefix}:installation`,
    uploads: {
      upload: (id) => `${prefix}:uploads:${id}`,
      writer: (id) => `${prefix}:uploads:${id}:writer`,
      day: (proposal) => `${prefix}:uploads:day:${escaped(proposal)}`,
    },
    login: (name) => `${prefix}:login:${name}`,
    models: modelKeysOf(prefix),
    hooks: `${prefix}:hooks`,
    access: {
      keys: `${prefix}:access:keys`,
      revoked: `${prefix}:access:revoked`,
      used: `${prefix}:access:used`,
      members: (question) => `${prefix}:access:members:${escaped(question)}`,
      rate: (bucket) => `${prefix}:access:rate:${escaped(bucket)}`,
    },
    orphans: {
      found: `${prefix}:orphans`,
      strikes: `${prefix}:orphans:strikes`,
      removing: `${prefix}:orphans:removing`,
    },
  };
};

const slotKeysOf = (prefix: string): SlotKeys => ({
  held: `${prefix}:slots`,
  counts: `${prefix}:slots:counts`,
  waiting: `${prefix}:slots:waiting`,
  line: `${prefix}:slots:line`,
  stuck: `${prefix}:slots:stuck`,
  runs: `${prefix}:slots:runs`,
  from: `${prefix}:slots:from`,
  days: `${prefix}:slots:days`,
  turns: `${prefix}:slots:turns`,
  numbers: `${prefix}:slots:numbers`,
  arrivals: `${prefix}:slots:arrivals`,
});

const modelKeysOf = (prefix: string): Keys['models'] => ({
  ledger: (id) => `${prefix}:m:${id}`,
  held: (id, work) => `${prefix}:m:${id}:${work}`,
  ofProposal: (proposal) => `${prefix}:models:of:${escaped(proposal)}`,
  days: `${prefix}:models:day:`,
  target: (id) => `${prefix}:models:target:${id}`,
  wishes: `${prefix}:models:wishes`,
  dueWishes: `${prefix}:models:wishes:due`,
  providers: `${prefix}:models:providers`,
  dueInquiries: `${prefix}:models:inquiries`,
  inquiries: `${prefix}:models:inquiry:`,
  reply: (provider, hash) => `${prefix}:models:reply:${escaped(provider)}:${hash}`,
});

type IndexKeys = Pick<
  Keys,
  'all' | 'ofStatus' | 'ofProposal' | 'ofBeamline' | 'ofOutcome' | 'ofBatch' | 'ofSubmitter' | 'ofContent'
>;

const indexKeysOf = (prefix: string): IndexKeys => ({
  all: `${prefix}:i:*:*:*`,
  ofStatus: (status) => `${prefix}:i:${status}:*:*`,
  ofProposal: (proposal) => `${prefix}:i:*:${escaped(proposal)}:*`,
  ofBeamline: (beamline) => `${prefix}:i:*:*:${escaped(beamline)}`,
  ofOutcome: (outcome) => `${prefix}:i:outcome:${outcome}`,
  ofBatch: (batch) => `${prefix}:i:batch:${escaped(batch)}`,
  ofSubmitter: (submitter) => `${prefix}:i:submitter:${escaped(submitter)}`,
  // Two for each session: short names.
  ofContent: (digest) => `${prefix}:d:${digest}`,
});

/** A star is no value: encodeURIComponent leaves `*` as it is, so a proposal that is called so is escaped by hand. */
const escaped = (value: string): string => encodeURIComponent(value).replace(/\*/g, '%2A');
