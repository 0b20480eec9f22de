import type { ExpressionBuilder, Selectable } from 'kysely';
import type { ModelWish, ModelWishes, WishSubject } from '@fleet/ports';
import { reachingStore, timeIn, type StoreContext } from '../database';
import type { Tables } from '../tables';

type Row = Selectable<Tables['model_directives']>;

const wishOf = ({ session, cycle, number, requested_at: at }: Row): ModelWish => ({
  session,
  ...(cycle !== null && { cycle }),
  number,
  requestedAt: at.getTime(),
});

/** The row of a subject; with `number` and `requestedAt`, only if it is still this request. */
const isOf = ({ session, cycle, number, requestedAt }: WishSubject & Partial<ModelWish>) => {
  return (eb: ExpressionBuilder<Tables, 'model_directives'>) =>
    eb.and([
      eb('session', '=', session),
      eb('cycle', 'is not distinct from', cycle ?? null),
      ...(number === undefined ? [] : [eb('number', '=', number)]),
      ...(requestedAt === undefined ? [] : [eb('requested_at', '=', new Date(requestedAt))]),
    ]);
};

export class PostgresModelWishes implements ModelWishes {
  constructor(private readonly context: StoreContext) {}

  ask(subject: WishSubject, number: number): Promise<ModelWish | undefined> {
    const now = timeIn(this.context);
    return reachingStore(async () => {
      await this.context.db
        .insertInto('model_directives')
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

  find(subject: WishSubject): Promise<ModelWish | undefined> {
    return reachingStore(async () => {
      const { db } = this.context;
      const row = await db.selectFrom('model_directives').selectAll().where(isOf(subject)).executeTakeFirst();
      return row === undefined ? undefined : wishOf(row);
    });
  }

  take(leaseMs: number): Promise<ModelWish | undefined> {
    return reachingStore(async () => {
      const row = await this.context.db
        .updateTable('model_directives')
        .set({ due_at: timeIn(this.context, leaseMs) })
        .where('id', '=', (eb) =>
          eb
            .selectFrom('model_directives')
            .select('id')
            .where('due_at', '<=', timeIn(this.context))
            .orderBy('due_at')
            .limit(1)
            .forUpdate()
            .skipLocked(),
        )
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? undefined : wishOf(row);
    });
  }

  async putBack(wish: ModelWish, inMs: number): Promise<void> {
    const { db } = this.context;
    await reachingStore(() =>
      db
        .updateTable('model_directives')
        .set({ due_at: timeIn(this.context, inMs) })
        .where(isOf(wish))
        .execute(),
    );
  }

  async done(wish: ModelWish): Promise<void> {
    await reachingStore(() => this.context.db.deleteFrom('model_directives').where(isOf(wish)).execute());
  }
}
