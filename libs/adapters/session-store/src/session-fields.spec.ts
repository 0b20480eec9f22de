import { settingDefinitions, type Session } from '@fleet/contracts';
import { aNewSession, aRequest } from '@fleet/testing';
import { fieldsOf, sessionFrom } from './session-fields';

/** As Redis gives back what was put into it. */
const read = (fields: ReturnType<typeof fieldsOf>): Session | undefined =>
  sessionFrom('one', Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, Buffer.from(value)])));

describe('a record out of Redis', () => {
  it('has the defaults of the settings that its release did not know', () => {
    const request = { ...aRequest(), settings: { max_cycles: 7 } } as ReturnType<typeof aRequest>;
    const defaults = Object.fromEntries(Object.entries(settingDefinitions).map(([name, one]) => [name, one.default]));
    expect(read(fieldsOf(aNewSession({ request })))?.request.settings).toEqual({ ...defaults, max_cycles: 7 });
  });

  it('keeps what a newer release has put into it', () => {
    const request = { ...aRequest(), newer: { of: 1 } };
    expect(read(fieldsOf(aNewSession({ request })))?.request).toEqual(request);
  });
});
