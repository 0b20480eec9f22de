import { problemPage, wantsPage } from './problem-page';

describe('the page of a failed login', () => {
  it("shows the provider's message as text", () => {
    const page = problemPage({ title: 'Not you', detail: `<script>alert("it's & me")</script>` }, '/ui/');
    expect(page).toContain('&lt;script&gt;alert(&quot;it&#39;s &amp; me&quot;)&lt;/script&gt;');
    expect(page).toContain('<a href="/ui/">');
  });

  it('is for browsers', () => {
    expect(['text/html,*/*;q=0.8', '*/*', undefined].map(wantsPage)).toEqual([true, false, false]);
  });
});
