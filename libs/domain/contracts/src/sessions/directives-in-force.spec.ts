import {
  directivesInForce,
  givenResolution,
  guidanceOf,
  settingsInForce,
  steeringInForce,
} from './directives-in-force';
import { emptyReading, type Guidance } from '../guidance/guidance';
import { settingDefinitions, type SessionSettings } from '../service/settings';
import type { SessionRequest } from './session';

const at = '2026-11-22T18:00:00.000Z';
const defaults = Object.entries(settingDefinitions).map(([name, definition]) => [name, definition.default]);
const request: SessionRequest = {
  title: 'a dataset',
  proposal: 'mx1',
  beamline: '',
  submitter: '',
  priority: 'standard',
  advice: 'be quick',
  settings: Object.fromEntries(defaults) as SessionSettings,
  inputs: [],
  directives: { stop_conditions: { after_cycle: 9 } },
  steering: { adviceChangedAfter: 4, blocked: ['phenix.autosol'] },
};
const guidance: Guidance = {
  revision: 3,
  at,
  sources: [],
  hash: '',
  reader: 'rules',
  reading: { ...emptyReading, directives: { stop_conditions: { after_cycle: 7 } }, stepByStep: true },
  overruled: [],
};

describe('the resolution that the submitter gave', () => {
  const at3 = { ...request, settings: { ...request.settings, resolution: 3 } };
  const words = { ...emptyReading, directives: { program_settings: { default: { resolution: 3.25 } } } };

  it('is that of the advice, otherwise of the settings, and undefined without either', () => {
    expect(givenResolution({ request: at3, guidance: { ...guidance, reading: words } })).toBe(3.25);
    expect(givenResolution({ request: at3, guidance })).toBe(3);
    expect(givenResolution({ request })).toBeUndefined();
  });
});

describe('the current directives', () => {
  it('of a session of an older release are those of its request', () => {
    const session = { request, createdAt: at };
    expect(directivesInForce(session)).toEqual(request.directives);
    expect(steeringInForce(session)).toEqual(request.steering);
    expect(settingsInForce(session)).toBe(request.settings);
    expect(guidanceOf(session)).toMatchObject({
      revision: 1,
      at,
      sources: [{ from: 'text', text: 'be quick' }],
      directives: request.directives,
      changedAfter: 4,
      reading: emptyReading,
    });
  });

  it('are those of the guidance, if there is one, and ignore the submission', () => {
    const session = { request, guidance };
    expect(directivesInForce(session)).toEqual({ stop_conditions: { after_cycle: 7 } });
    expect(steeringInForce(session)).toEqual({ blocked: ['phenix.autosol'] });
    expect(settingsInForce(session)).toMatchObject({ maximum_automation: false });
    expect(steeringInForce({ request, guidance: { ...guidance, changedAfter: 6 } })).toMatchObject({
      adviceChangedAfter: 6,
    });
  });

  it.each([
    [5, 5],
    [12, 7],
  ])('end the session after %i cycles at the latest, after advice to stop', (endsAfter, after_cycle) => {
    const session = { request, guidance: { ...guidance, endsAfter } };
    expect(directivesInForce(session).stop_conditions).toEqual({ after_cycle });
  });
});
