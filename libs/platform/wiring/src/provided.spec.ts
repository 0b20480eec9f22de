import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { provided, providedWith } from './provided';

const CLOCK = Symbol('Clock');
const STORE = Symbol('Store');

class InOrder {
  constructor(
    readonly clock: string,
    readonly store: string,
  ) {}
}

class ByName {
  constructor(readonly dependencies: { readonly clock: string; readonly store: InOrder; readonly retries: number }) {}
}

@Module({
  providers: [
    { provide: CLOCK, useValue: 'clock' },
    { provide: STORE, useValue: 'store' },
    provided(InOrder, CLOCK, STORE),
    providedWith(ByName, { store: InOrder, clock: CLOCK }, { retries: 3 }),
  ],
})
class Application {}

it('creates classes from the providers of the tokens', async () => {
  const application = await NestFactory.createApplicationContext(Application, { logger: false });
  const made = application.get(InOrder);
  expect(made).toEqual(new InOrder('clock', 'store'));
  expect(application.get(ByName).dependencies).toEqual({ clock: 'clock', store: made, retries: 3 });
  await application.close();
});
