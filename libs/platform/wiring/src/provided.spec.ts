import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { provided, providedObject, providedWith } from './provided';

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

const whole = providedObject<ByName['dependencies'], 'retries'>({ store: InOrder, clock: CLOCK }, { retries: 2 });
const withoutConstants = providedObject<{ readonly clock: string }>({ clock: CLOCK });

@Module({
  providers: [
    { provide: CLOCK, useValue: 'clock' },
    { provide: STORE, useValue: 'store' },
    provided(InOrder, CLOCK, STORE),
    providedWith(ByName, { store: InOrder, clock: CLOCK }, { retries: 3 }),
    whole,
    withoutConstants,
  ],
})
class Application {}

it('creates classes from the providers of the tokens', async () => {
  const application = await NestFactory.createApplicationContext(Application, { logger: false });
  const made = application.get(InOrder);
  expect(made).toEqual(new InOrder('clock', 'store'));
  expect(application.get(ByName).dependencies).toEqual({ clock: 'clock', store: made, retries: 3 });
  expect(application.get(whole.provide)).toEqual({ clock: 'clock', store: made, retries: 2 });
  expect(application.get(withoutConstants.provide)).toEqual({ clock: 'clock' });
  await application.close();
});
