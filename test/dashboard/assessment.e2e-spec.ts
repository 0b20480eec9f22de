import type { StoredAssessment } from '@fleet/contracts/results';
import type { Session } from '@fleet/contracts/sessions';
import { ASSESSMENTS, TEXT_REQUESTS, type Assessments, type TextRequest, type TextRequests } from '@fleet/ports';
import { useStarted } from '@fleet/testing';
import { ShownBrowser } from './shown-browser';
import { hostile } from './shown-sessions';
import { tracedSession } from './shown-trace';

// @needs chromium

const status = `R-free fell to 0.2301 ${hostile}, which is 4.2 times better than the 0.12 of the start; the ligand NUT has a correlation of 0.86 with the map.`;
const marks = ['4.2', '0.12'];
const written = {
  parts: [
    {
      part: 'input_quality',
      title: 'Input data quality',
      text: 'The data reach 1.60 Å and show no sign of twinning: good enough for an atomic model with its waters.',
    },
    {
      part: 'goal_and_strategy',
      title: 'Goal and strategy',
      text: 'The model was placed already, so that it was refined, the ligand fitted into the density that was left, and the whole refined again.',
    },
    {
      part: 'strategy_assessment',
      title: 'Assessment of the strategy',
      text: 'All 7 cycles succeeded. The omit map was made after the ligand was in the model, which is the right order.',
    },
    {
      part: 'current_status',
      title: 'Current status',
      text: status,
      unsupported: marks.map((number) => ({ text: number, at: status.indexOf(number) })),
    },
    {
      part: 'next_steps',
      title: 'Next steps',
      text: 'Look at the ligand in its density, then deposit the model.',
    },
  ],
  target: 'site-vllm',
  model: 'qwen3-32b',
  hash: 'ab',
} satisfies Partial<StoredAssessment>;

describe('the assessment of a session', () => {
  const shown = useStarted('file', () => ShownBrowser.start());
  let solved: string;
  beforeAll(async () => {
    solved = await tracedSession(shown, { title: 'MDM2 with nutlin-3a' });
  });

  const panel = () => shown.page.getByTestId('assessment');
  const state = (name: string) => shown.page.locator(`[data-testid="assessment"][data-state="${name}"]`);
  const button = (name: string) => panel().getByRole('button', { name, exact: true });
  const open = async (id: string): Promise<void> => {
    await shown.go(`sessions/${id}?view=assessment`);
    await panel().waitFor();
  };
  const requests = (): TextRequests => shown.gateway.app.get(TEXT_REQUESTS, { strict: false });

  /** As a decision worker does. @returns undefined where there is no request */
  const taken = async (): Promise<TextRequest> => {
    const request = await requests().take(60_000);
    if (request === undefined) throw new Error('there is no request for an assessment');
    return request;
  };
  const answer = async (made: Partial<StoredAssessment>): Promise<void> => {
    const request = await taken();
    const session = (await shown.store.records.load(request.session)) as Session;
    const { status, version } = session;
    const stored: StoredAssessment = { status, version, writtenAt: new Date().toISOString(), ...made };
    await shown.gateway.app
      .get<Assessments>(ASSESSMENTS, { strict: false })
      .keep(session, { number: request.number, kept: stored });
    await requests().done(request);
  };

  it('is written by the rules immediately, in five parts', async () => {
    await shown.go(`sessions/${solved}`);
    await shown.page.getByRole('tab', { name: 'Assessment' }).click();
    await shown.page.waitForURL(/view=assessment/);
    await panel().getByText('Written by the rules').waitFor();
    expect(await panel().locator('h3').allInnerTexts()).toEqual(written.parts.map(({ title }) => title));
    expect(await panel().locator('[data-part="input_quality"]').innerText()).toContain('1.60');
    expect(await panel().locator('mark').count()).toBe(0);
    await shown.look('session-assessment-rules');
  });

  it('reports that the site has no model for it', async () => {
    const id = await tracedSession(shown, { title: 'A site without models', cycles: 2, asked: 0 });
    await open(id);
    await button('Ask a model').click();
    await state('pending').waitFor();
    await shown.look('session-assessment-asked');
    // What a worker does that has no model.
    await requests().done(await taken());
    await panel().getByText('this site has none that assesses sessions').waitFor();
  });

  it('shows why no model answered, also after a reload, and when a retry is possible', async () => {
    const id = await tracedSession(shown, { title: 'Models in trouble', cycles: 2, asked: 0 });
    await open(id);
    await button('Ask a model').click();
    await state('pending').waitFor();
    await answer({ failed: 'model_budget', why: 'the budget of the proposal is used up' });
    await state('failed').getByText('the budget of the proposal is used up').waitFor();
    await shown.page.reload();
    await panel().getByText('the budget of the proposal is used up').waitFor();
    await shown.look('session-assessment-failed');
    await button('Ask a model again').click();
    await panel().getByText('it can be requested again from').waitFor();
  });

  it('is written by a model on request, with wrong numbers marked, without a reload', async () => {
    await open(solved);
    await button('Ask a model').press('Enter');
    await panel().getByText('A model was asked and has not answered yet').waitFor();
    // Waiting outlives a reload.
    await shown.page.reload();
    await state('pending').waitFor();
    expect(await button('Ask a model').count()).toBe(0);
    await answer(written);
    await panel().getByText('Written by the model qwen3-32b of site-vllm').waitFor();
    expect(await panel().locator('[data-testid="written-part"] mark').allInnerTexts()).toEqual([
      expect.stringMatching(/^4\.2/),
      expect.stringMatching(/^0\.12/),
    ]);
    await panel().getByText('Marked numbers are not in the session').waitFor();
    await panel().getByText('<img src=x').waitFor();
    expect(await shown.page.title()).not.toBe('owned');
    expect(await panel().getByRole('button').count()).toBe(0);
    await shown.look('session-assessment');
  });

  it('offers no model for a rules-only session, and no button to read-only users', async () => {
    const id = await tracedSession(shown, {
      title: 'Rules alone',
      cycles: 2,
      asked: 0,
      settings: { use_rules_only: true },
    });
    await open(id);
    await panel().getByText('no model is asked').waitFor();
    expect(await panel().getByRole('button').count()).toBe(0);
    await shown.makeKey('admin');
    const looker = await shown.makeKey('staff', { beamlines: ['i04'], scopes: ['read'] });
    const page = await shown.newPage();
    await shown.enter(page, looker.key, `sessions/${solved}?view=assessment`);
    await page.getByTestId('assessment').waitFor();
    expect(await page.getByTestId('assessment').getByRole('button').count()).toBe(0);
    await page.context().close();
  });
});
