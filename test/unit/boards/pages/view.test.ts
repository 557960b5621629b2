import { describe, expect, it } from 'vitest';
import { addressWith, exploringOf } from '../../../../functions/boards/browser/exploring.ts';
import { keyOf, rowWith, valuesOfRow } from '../../../../functions/boards/browser/row-values.ts';
import { assertOwnRequest } from '../../../../functions/boards/pages/own-request.ts';
import { endedCookie, sessionCookie, sessionTokenOf } from '../../../../functions/boards/pages/session-cookie.ts';
import { isAllowed } from '../../../../functions/boards/pages/site/origins.ts';
import { placedCards } from '../../../../shared/data/charts/board-cards.ts';
import { conditionOf } from '../../../../shared/data/charts/filter-condition.ts';
import { DEFAULT_TOKENS } from '../../../../shared/data/charts/theme.ts';
import type { PageCard } from '../../../../shared/domains/boards/dashboard-pages/card-view.ts';
import { placeRules } from '../../../../shared/domains/boards/dashboard-pages/grid.ts';
import { renderMarkdown } from '../../../../shared/domains/boards/dashboard-pages/markdown.ts';
import { tokensOf } from '../../../../shared/domains/boards/themes/index.ts';
import { html, jsonForPage } from '../../../../shared/platform/text/html.ts';

describe('html', () => {
  it('escapes texts in contents and attributes, and keeps pieces of html', () => {
    const name = `"><script>alert('x')</script>`;
    expect(String(html`<p title="${name}">${[html`<b>${name}</b>`, null, false, 3]}</p>`)).toBe(
      '<p title="&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;"><b>&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;</b>3</p>',
    );
  });

  it('writes values for a script that cannot end its element', () => {
    const value = { name: '</script><!-- \u2028 & ' };
    const text = String(jsonForPage(value));
    expect(text).not.toMatch(/[<>&\u2028]/);
    expect(JSON.parse(text)).toEqual(value);
  });
});

describe('the text of a card', () => {
  it('is Markdown whose links are safe', () => {
    const text = String(
      renderMarkdown('**Net** of [returns](https://example.com/a) by [mail](mailto:a@example.com)', 2),
    );
    expect(text).toBe(
      '<p><strong>Net</strong> of <a href="https://example.com/a" rel="noopener noreferrer" target="_blank">returns</a> by <a href="mailto:a@example.com" rel="noopener noreferrer" target="_blank">mail</a></p>\n',
    );
  });

  it.for([
    '<img src=x onerror=alert(1)>',
    '[x](javascript:alert(1))',
    '[x](data:text/html,<script>alert(1)</script>)',
    '[x](vbscript:x)',
    '[x](&#106;avascript:alert(1))',
    '![x](https://example.com/x.png)',
    '[x](/api/d/session)',
  ])('makes no element that runs or loads of %s', (text) => {
    expect(String(renderMarkdown(text, 2))).not.toMatch(/<(script|img)|href="(?!https:\/\/example)/);
  });

  it('has headings that begin at the level and leave none out', () => {
    expect(String(renderMarkdown('### A\n\n###### B', 2))).toBe('<h2>A</h2>\n<h3>B</h3>\n');
  });

  it('has no style attributes, which the policy of the page forbids', () => {
    expect(String(renderMarkdown('|a|b|\n|:-:|--:|\n|1|2|', 2))).not.toContain('style');
  });
});

const card = (id: string, position: PageCard['position']) => ({ id, position }) as PageCard;

describe('the grid', () => {
  it('keeps the places of cards and leaves out rows that no card covers', () => {
    const placed = placedCards([
      card('far', { x: 0, y: 90_000, w: 24, h: 2 }),
      card('b', { x: 12, y: 0, w: 12, h: 6 }),
      card('a', { x: 0, y: 0, w: 12, h: 4 }),
      card('c', { x: 0, y: 4, w: 12, h: 4 }),
    ]);
    expect(placed.map(({ card: { id }, row }) => [id, row])).toEqual([
      ['a', 1],
      ['b', 1],
      ['c', 5],
      ['far', 9],
    ]);
    expect(placeRules(placed.slice(0, 1))).toBe('#card-a{--x:1;--w:12;--y:1;--h:4}');
  });
});

describe('the theme of a page', () => {
  const own = { ...DEFAULT_TOKENS, dark: true };
  const themes = {
    get: async (_workspace: string, id: string) => (id === 'known' ? { tokens: own } : undefined),
    readDefault: async () => undefined,
  };

  it.for([
    [JSON.stringify({ themeId: 'known' }), own],
    [JSON.stringify(own), own],
    [JSON.stringify({ themeId: 'gone' }), DEFAULT_TOKENS],
    [JSON.stringify({ ...own, palette: ['red;}body{display:none'] }), DEFAULT_TOKENS],
    ['no JSON', DEFAULT_TOKENS],
    [null, DEFAULT_TOKENS],
  ] as const)('is what the text %s names or contains, if it is valid', async ([text, tokens]) => {
    expect(await tokensOf(themes, 'w', text)).toEqual(tokens);
  });
});

describe('the value of a filter', () => {
  it.for([
    ['select', 'North', { op: 'eq', values: ['North'] }],
    ['select', { op: 'ne' }, undefined],
    ['multi_select', ['a', 'b'], { op: 'in', values: ['a', 'b'] }],
    ['multi_select', [], undefined],
    ['date_range', { from: '2026-01-01', to: '2026-01-31' }, { op: 'between', values: ['2026-01-01', '2026-01-31'] }],
    ['date_range', { from: '2026-01-01', to: null }, { op: 'gte', values: ['2026-01-01'] }],
    ['number_range', { min: null, max: 0 }, { op: 'lte', values: [0] }],
    ['number_range', 'x', undefined],
    ['relative_date', { op: 'last_n', n: 7, unit: 'day' }, { op: 'last_n', values: [7, 'day'] }],
    ['relative_date', { op: 'this', unit: 'month' }, { op: 'this', values: ['month'] }],
    ['text', 'nor', { op: 'contains', values: ['nor'], ignoreCase: true }],
    ['boolean', false, { op: 'eq', values: [false] }],
    ['boolean', null, undefined],
  ] as const)('of type %s becomes a condition: %j', ([type, value, condition]) => {
    expect(conditionOf(type, value)).toEqual(condition);
  });
});

describe('the cookie of a sign-in', () => {
  it('is for the pages alone, hidden from scripts, and kept from other sites', () => {
    expect(sessionCookie('rt_1', { isSecure: true })).toBe(
      'analytics-session=rt_1; Path=/api/d; Max-Age=2592000; HttpOnly; SameSite=Strict; Secure',
    );
    expect(endedCookie({ isSecure: false })).toBe(
      'analytics-session=; Path=/api/d; Max-Age=0; HttpOnly; SameSite=Strict',
    );
  });

  it.for([
    [{ cookie: 'other=1; analytics-session=rt_1; more=2' }, 'rt_1'],
    [{ cookie: 'analytics-session=' }, undefined],
    [{ cookie: 'analytics-sessions=rt_1' }, undefined],
    [{}, undefined],
  ] as const)('is read from %j', ([headers, token]) => {
    expect(sessionTokenOf(headers)).toBe(token);
  });
});

describe('a request to a page session', () => {
  const own = { host: 'api.example.com', 'x-forwarded-proto': 'https' };

  it.for<Record<string, string>>([{}, { origin: 'https://api.example.com', 'sec-fetch-site': 'same-origin' }])(
    'is accepted with %j',
    (headers) => {
      expect(() => assertOwnRequest({ ...own, ...headers })).not.toThrow();
    },
  );

  it.for<Record<string, string>>([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example.com' },
    { origin: 'https://api.example.com.evil.com' },
    { origin: 'null' },
  ])('is rejected with %j', (headers) => {
    expect(() => assertOwnRequest({ ...own, ...headers })).toThrow('only from the pages of the platform');
  });
});

describe('a page around an embedded view', () => {
  const allowed = ['https://app.example.com', 'https://*.example.org', 'http://localhost:3000'];

  it.for([
    ['https://app.example.com', true],
    ['https://a.b.example.org', true],
    ['http://localhost:3000', true],
    ['http://app.example.com', false],
    ['https://example.org', false],
    ['https://evilexample.org', false],
    ['http://a.example.org', false],
    ['https://app.example.com.evil.com', false],
    ['http://localhost:3001', false],
  ] as const)('at %s is sent messages: %s', ([origin, isSent]) => {
    expect(isAllowed(origin, allowed)).toBe(isSent);
  });
});

describe('what a reader has chosen by clicking', () => {
  const chosen = {
    selection: { cardId: 'bars', values: { Region: 'North', Year: null } },
    drill: { rows: [{ to: 'nextLevel' as const, values: { Region: 'North' } }] },
  };

  it('is kept in the address', () => {
    const address = addressWith('https://a.example.com/api/d/1?page=p', chosen);
    expect(exploringOf(new URL(address).search)).toEqual(chosen);
    expect(addressWith(address, { selection: undefined, drill: { rows: [] } })).toBe(
      'https://a.example.com/api/d/1?page=p',
    );
  });

  it.for([
    'selection={',
    'selection=[]',
    'selection={"cardId":1}',
    'selection={"cardId":"a","values":{"x":{}}}',
    'drill={"a":[1]}',
  ])('is nothing if the address has %s', (search) => {
    expect(exploringOf(`?${search}`)).toEqual({ selection: undefined, drill: {} });
  });

  it('names a row by its dimensions, and finds it again', () => {
    const columns = [
      { name: 'Region', role: 'dimension', type: 'string', fieldId: 'f1' },
      { name: 'Year', role: 'dimension', type: 'date', fieldId: 'f2' },
      { name: 'Month', role: 'dimension', type: 'date', fieldId: 'f2' },
      { name: 'Sales', role: 'measure', type: 'decimal' },
    ] as const;
    const data = {
      columns: [...columns],
      rows: [
        ['North', '2026-01-01', '2026-02-01', 1],
        [null, '2026-01-01', '2026-01-01', 2],
        [{ list: [] }, '2026-01-01', '2026-01-01', 3],
      ],
    };
    expect(keyOf(columns, columns[1])).toBe('Year');
    expect(valuesOfRow(data, 1)).toEqual({ f1: null, Year: '2026-01-01', Month: '2026-01-01' });
    expect(valuesOfRow(data, 2)).toBeUndefined();
    expect(valuesOfRow(data, 9)).toBeUndefined();
    expect(rowWith(data, { f1: null })).toBe(1);
    expect(rowWith(data, { f1: 'South' })).toBe(-1);
  });
});
