import type { StoredLogSummary } from '@fleet/contracts/results';
import { LOG_SUMMARIES, TEXT_REQUESTS, type LogSummaries, type TextRequest, type TextRequests } from '@fleet/ports';
import { useStarted } from '@fleet/testing';
import { ShownBrowser } from './shown-browser';
import { hostile } from './shown-sessions';
import { tracedSession } from './shown-trace';

// @needs chromium

const numbers = `R-free is 0.2301 ${hostile}, and 0.12 was reached before.`;
const written = {
  parts: [
    { part: 'outcome', title: 'Its outcome', text: 'The refinement ended by itself.' },
    {
      part: 'numbers',
      title: 'Numbers',
      text: numbers,
      unsupported: [{ text: '0.12', at: numbers.indexOf('0.12') }],
    },
    { part: 'findings', title: 'Errors and warnings', text: 'None.' },
  ],
  target: 'site-vllm',
  model: 'qwen3-8b',
  hash: 'ab',
} satisfies Partial<StoredLogSummary>;

describe('the log summary of a cycle', () => {
  const shown = useStarted('file', () => ShownBrowser.start());
  let solved: string;
  beforeAll(async () => {
    solved = await tracedSession(shown, { title: 'MDM2 with nutlin-3a' });
  });

  const card = (cycle: number) => shown.page.locator(`#cycle-${String(cycle)}`);
  const summary = (cycle: number) => card(cycle).getByTestId('log-summary');
  const isIn = (cycle: number, state: string) => card(cycle).locator(`section[data-state="${state}"]`).waitFor();
  const open = async (id: string, cycle: number): Promise<void> => {
    await shown.go(`sessions/${id}?cycle=${String(cycle)}`);
    await card(cycle).getByText('Log summary').press('Enter');
    await summary(cycle).waitFor();
  };
  const ask = (cycle: number) =>
    summary(cycle).getByRole('button', { name: 'Ask a model', exact: true }).press('Enter');
  const requests = (): TextRequests => shown.gateway.app.get(TEXT_REQUESTS, { strict: false });

  /** As a decision worker does. */
  const taken = async (): Promise<TextRequest> => {
    const request = await requests().take(60_000);
    if (request === undefined) throw new Error('there is no request for a summary');
    return request;
  };
  const answer = async (made: Partial<StoredLogSummary>): Promise<void> => {
    const { number, cycle = 0, ...request } = await taken();
    const session = await shown.store.records.load(request.session);
    if (session === undefined) throw new Error('there is no such session');
    const stored: StoredLogSummary = { cycle, writtenAt: new Date().toISOString(), ...made };
    await shown.gateway.app
      .get<LogSummaries>(LOG_SUMMARIES, { strict: false })
      .keep(session, { number, kept: stored }, cycle);
    await requests().done({ number, cycle, ...request });
  };

  it('is written by the rules immediately on request', async () => {
    const requests: string[] = [];
    shown.page.on('request', (request) => requests.push(request.url()));
    await shown.go(`sessions/${solved}?cycle=5`);
    await card(5).getByText('Reason for the decision').waitFor();
    expect(requests.filter((address) => address.includes('log-summary'))).toEqual([]);
    await card(5).getByText('Log summary').click();
    await summary(5).getByText('Written by the rules').waitFor();
    expect(await summary(5).locator('h3').allInnerTexts()).toEqual(written.parts.map(({ title }) => title));
    expect(await summary(5).locator('[data-part="numbers"]').innerText()).toContain('0.2301');
    expect(await summary(5).locator('mark').count()).toBe(0);
    await shown.look('session-log-summary-rules', shown.page, summary(5));
  });

  it('is written once by a model on request, with wrong numbers marked', async () => {
    await open(solved, 5);
    await ask(5);
    await isIn(5, 'pending');
    await shown.page.reload();
    await card(5).getByText('Log summary').click();
    await isIn(5, 'pending');
    await answer(written);
    await summary(5).getByText('Written by the model qwen3-8b of site-vllm').waitFor();
    expect(await summary(5).locator('[data-testid="written-part"] mark').allInnerTexts()).toEqual([
      expect.stringMatching(/^0\.12/),
    ]);
    await summary(5).getByText('Marked numbers are not in the log').waitFor();
    await summary(5).getByText('<img src=x').waitFor();
    expect(await shown.page.title()).not.toBe('owned');
    expect(await summary(5).getByRole('button').count()).toBe(0);
    await shown.look('session-log-summary', shown.page, summary(5));
  });

  it('is not offered for a running cycle', async () => {
    const { id } = await shown.sessions.running('Still running', 'a line\n');
    await shown.go(`sessions/${id}?cycle=5`);
    await card(5).getByText('Reason for the decision').waitFor();
    expect(await card(5).getByText('Log summary').count()).toBe(0);
  });
});
