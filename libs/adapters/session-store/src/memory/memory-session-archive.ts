import type { SessionHead } from '@fleet/contracts';
import type { ArchiveProof, Clock, SessionArchive, WholeSession } from '@fleet/ports';
import { headOf } from '@fleet/session-report';
import { copy, type MemoryState } from './memory-state';

export class MemorySessionArchive implements SessionArchive {
  constructor(
    private readonly state: MemoryState,
    private readonly clock: Clock,
  ) {}

  endedFor(ms: number, limit: number, claimMs: number): Promise<readonly SessionHead[]> {
    const until = this.clock.now() - ms;
    const found = [...this.state.sessions.values()]
      .flatMap((stored) =>
        stored.endedAt !== undefined && stored.endedAt <= until ? [{ stored, at: stored.endedAt }] : [],
      )
      .sort((one, other) => one.at - other.at)
      .slice(0, limit);
    for (const { stored } of found) if (claimMs > 0) stored.endedAt = until + claimMs;
    return Promise.resolve(found.map(({ stored }) => copy(headOf(stored.session))));
  }

  hasWhole(ids: readonly string[]): Promise<boolean> {
    const found = ids.flatMap((id) => this.state.sessions.get(id) ?? []);
    return Promise.resolve(found.some(({ archived }) => archived === undefined));
  }

  whole(id: string): Promise<WholeSession | undefined> {
    const stored = this.state.sessions.get(id);
    if (stored === undefined || stored.archived !== undefined) return Promise.resolve(undefined);
    const { session, events, transitions } = stored;
    return Promise.resolve(copy({ session, events, transitions }));
  }

  leaveRow(id: string, proof: ArchiveProof): Promise<'left' | 'stale'> {
    const stored = this.state.sessions.get(id);
    if (stored?.session.stop === undefined || stored.session.version !== proof.version) return Promise.resolve('stale');
    const { session } = stored;
    stored.session = { ...session, cycles: [], request: { ...session.request, inputs: [] } };
    stored.events = [];
    stored.transitions = [];
    stored.archived = proof;
    stored.endedAt = undefined;
    return Promise.resolve('left');
  }

  archived(id: string): Promise<{ readonly head: SessionHead; readonly proof: ArchiveProof } | undefined> {
    const stored = this.state.sessions.get(id);
    if (stored?.archived === undefined) return Promise.resolve(undefined);
    return Promise.resolve(copy({ head: headOf(stored.session), proof: stored.archived }));
  }

  putBack({ session, events, transitions }: WholeSession): Promise<'back' | 'stale'> {
    const stored = this.state.sessions.get(session.id);
    if (stored?.archived?.version !== session.version) return Promise.resolve('stale');
    stored.session = copy(session);
    stored.events = copy([...events]);
    stored.transitions = [...transitions];
    stored.archived = undefined;
    stored.endedAt = this.clock.now();
    return Promise.resolve('back');
  }
}
