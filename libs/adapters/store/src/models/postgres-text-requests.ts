import type { ExpressionBuilder, Selectable } from 'kysely';
import type { TextRequest, TextRequests, TextSubject } from '@fleet/ports';
import { reachingStore, timeIn, type StoreContext } from '../database';
import type { Tables } from '../tables';

type Row = Selectable<Tables['text_requests']>;

const requestOf = ({ session, cycle, number, requested_at: at }: Row): TextRequest => ({
  session,
  ...(cycle !== null && { cycle }),
  number,
  requestedAt: at.getTime(),
});

/** The row of a subject; with `number` and `requestedAt`, only if it is still this request. */
const isOf = ({ session, cycle, number, requestedAt }: TextSubject & Partial<TextRequest>) => {
  return (eb: ExpressionBuilder<Tables, 'text_requests'>) =>
    eb.and([
      eb('session', '=', session),
      eb('cycle', 'is not distinct from', cycle ?? null),
      ...(number === undefined ? [] : [eb('number', '=', number)]),
      ...(requestedAt === undefined ? [] : [eb('requested_at', '=', new Date(requestedAt))]),
    ]);
};

export class PostgresTextRequests implements TextRequests {
  constructor(private readonly context: StoreContext) {}

  ask(subject: TextSubject, number: number): Promise<TextRequest | undefined> {
    const now = timeIn(this.context);
    return reachingStore(async () => {
      await this.context.db
        .insertInto('text_requests')
        .columns(['session', 'cycle', 'number', 'requested_at', 'due_at'])
        .expression((eb) =>
          eb
            .selectFrom('sessions')
            .select([
              'id as session',
              eb.cast<number | null>(eb.val(subject.cycle ?? null), 'integer').as('cycle'),
              eb.cast<number>(eb.val(number), 'integer').as('number'),
              eb.cast<Date>(eb.val(now), 'timestamptz').as('requested_at'),
              eb.cast<Date>(eb.val(now), 'timestamptz').as('due_at'),
            ])
            .where('id', '=', subject.session),
        )
        .onConflict((conflict) => conflict.columns(['session', 'cycle']).doNothing())
        .execute();
      return this.find(subject);
    });
  }

  find(subject: TextSubject): Promise<TextRequest | undefined> {
    return reachingStore(async () => {
      const { db } = this.context;
      const row = await db.selectFrom('text_requests').selectAll().where(isOf(subject)).executeTakeFirst();
      return row === undefined ? undefined : requestOf(row);
    });
  }

  take(leaseMs: number): Promise<TextRequest | undefined> {
    return reachingStore(async () => {
      const row = await this.context.db
        .updateTable('text_requests')
        .set({ due_at: timeIn(this.context, leaseMs) })
        .where('id', '=', (eb) =>
          eb
            .selectFrom('text_requests')
            .select('id')
            .where('due_at', '<=', timeIn(this.context))
            .orderBy('due_at')
            .limit(1)
            .forUpdate()
            .skipLocked(),
        )
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? undefined : requestOf(row);
    });
  }

  async putBack(request: TextRequest, inMs: number): Promise<void> {
    const { db } = this.context;
    await reachingStore(() =>
      db
        .updateTable('text_requests')
        .set({ due_at: timeIn(this.context, inMs) })
        .where(isOf(request))
        .execute(),
    );
  }

  async done(request: TextRequest): Promise<void> {
    await reachingStore(() => this.context.db.deleteFrom('text_requests').where(isOf(request)).execute());
  }
}
