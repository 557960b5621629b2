import { describe, expect, it } from 'vitest';
import { composed } from '../../../../shared/platform/mail/compose.ts';
import { senderDomain } from '../../../../shared/platform/mail/mailer.ts';

const NAME = `<a href="https://evil.example">Click</a>\r\nBcc: all@example.com\u202e"'&`;

describe('a mail', () => {
  it('says the same as text and as HTML', () => {
    const url = 'https://app.example.com/page#token=a_b-c';
    const mail = { subject: 'Hello', paragraphs: ['One', 'Two'], action: { label: 'Go', url }, notes: ['Three'] };
    const { subject, text, html } = composed(mail);
    expect(subject).toBe('Hello');
    expect(text).toBe(`One\n\nTwo\n\nGo:\n${url}\n\nThree\n`);
    expect(html).toContain(`<a href="${url}"`);
    expect(html.replaceAll(/<[^>]+>/g, ' ')).toMatch(/One\s+Two\s+Go\s+Or open this address:\s+https.*\s+Three/);
    expect(composed({ subject: 's', paragraphs: [], action: { label: 'Enter', code: 'abc' } }).text).toBe(
      'Enter:\nabc\n',
    );
  });

  it('escapes what people chose, and keeps it on one line', () => {
    const { subject, text, html } = composed({
      subject: NAME,
      paragraphs: [NAME],
      action: { label: NAME, url: `https://app.example.com/"><script>` },
      notes: [NAME],
    });
    expect(subject).not.toMatch(/[\r\n\u202e]/);
    expect(text).not.toMatch(/^Bcc:/m);
    expect(html).not.toMatch(/<script|<a href="https:\/\/evil|\u202e/);
    expect(html).toContain('&lt;a href=&quot;https://evil.example&quot;&gt;Click');
  });

  it('shows a chart as its own picture, and as rows where pictures are not shown', () => {
    const picture = { contentId: 'chart-1', alternative: `Bar chart ${NAME}`, width: 600, height: 300 };
    const columns = [{ name: 'Region', isNumber: false }];
    const { text, html } = composed({
      subject: 's',
      paragraphs: [],
      blocks: [{ name: 'Revenue', columns, rows: [['North']], note: null, picture }],
    });
    expect(html).toContain('<img src="cid:chart-1" alt="Bar chart &lt;a href=');
    expect(html).not.toMatch(/North|<a href|\u202e/);
    expect(text).toContain('Revenue:\n  Region: North');
  });

  it('formats a text in Markdown, with the same words as text', () => {
    const markdown = '## Note\n\nSee **[the page](https://example.com/a)** \u202e\n\n- one\n- two';
    const { text, html } = composed({ subject: 's', paragraphs: [], blocks: [{ name: NAME, markdown }] });
    expect(text).toContain('Note\n\nSee the page (https://example.com/a)\n\n• one\n• two');
    expect(html.replaceAll(/ (class|style)="[^"]*"/g, '')).toContain(
      '<h2>Note</h2><p>See <a href="https://example.com/a"><strong>the page</strong></a>  </p><ul><li>one</li><li>two</li></ul>',
    );
    expect(html).not.toMatch(/\u202e|<a href="https:\/\/evil/);
  });

  it('has colors of its own for dark mode', () => {
    const { html } = composed({ subject: 's', paragraphs: ['p'], action: { label: 'l', url: 'https://example.com' } });
    expect(html).toContain('<meta name="color-scheme" content="light dark">');
    const dark = /@media \(prefers-color-scheme:dark\)\{(.*)\}<\/style>/.exec(html)![1]!;
    const classes = [...html.matchAll(/class="(m-[a-z]+)"/g)].map(([, name]) => name!);
    expect(classes).toEqual(['m-body', 'm-button']);
    for (const name of classes) expect(dark).toMatch(new RegExp(`\\.${name}\\{[^}]*background:[^;}]* !important`));
  });

  it('loads nothing, so that reading it is not tracked', () => {
    const { html } = composed({ subject: 's', paragraphs: ['p'], action: { label: 'l', url: 'https://example.com' } });
    expect(html).not.toMatch(/<(img|link|script|iframe)|url\(|src=/);
  });
});

describe('the sender of mails', () => {
  it.each([
    ['no-reply@example.com', 'example.com'],
    ['Analytics <no-reply@Mail.Example.com>', 'mail.example.com'],
  ])('%s has a domain', (from, domain) => expect(senderDomain(from)).toBe(domain));

  it.each([
    'Analytics',
    'a@b',
    'a@example.com, b@example.com',
    '<a@example.com',
    'Ü <a@example.com>',
    'a@example.com\n',
  ])('%j is none', (from) => expect(senderDomain(from)).toBeUndefined());
});
