import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { pdfText, zipTexts } from '../../../support/read-files.ts';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const LABELS = [
  'مبيعات الشتاء',
  'מכירות',
  '👩🏽‍🚀 Raum',
  '東京',
  'a <b>&"\'</b>',
  '\u202Etxt.exe',
  'x'.repeat(500),
  '\ue000 private',
  '',
];
const bar = (x: string, y: string) => ({ mark: { type: 'bar' }, encoding: { x: { field: x }, y: { field: y } } });
const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** What an XML reader finds in the attributes and texts of a picture. */
const unescaped = (xml: string) =>
  xml
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

describe('a card', () => {
  it('shows labels of every script, direction and length as they are', async ({ api }) => {
    const values = LABELS.map((label, index) => `(${quoted(label)}, ${index + 1})`);
    const { id } = await givenDataset(api, {
      name: 'labels',
      sql: `SELECT * FROM (VALUES ${values.join(',')}) t(label, n)`,
    });
    const query = {
      source: { kind: 'dataset', id },
      dimensions: [{ column: 'label' }],
      measures: [{ column: 'n', aggregation: 'sum', label: 'n' }],
      sort: [{ column: 'n' }],
    };
    const title = 'שלום 🎉 <script>alert(1)</script>';
    const { path, read } = await givenCards(api, [card('labels', chart(query, bar('label', 'n')), { title })]);
    expect((await read('labels')).rows.map(([label]: [string]) => label)).toEqual(LABELS);
    for (const part of [`cards/labels/image`, `export`]) {
      const body = part === 'export' ? { format: 'svg', cardIds: ['labels'] } : {};
      const { bytes } = await api.as('editor').post(`${path}/${part}`, body, { headers: { accept: 'image/svg+xml' } });
      const svg = bytes.toString();
      expect(svg).not.toMatch(/<(script|b)>/);
      for (const label of LABELS.filter((each) => each.length < 100)) expect(unescaped(svg), part).toContain(label);
    }
    const file = async (format: string, accept: string) =>
      (await api.as('editor').post(`${path}/export`, { format, cardIds: ['labels'] }, { headers: { accept } })).bytes;
    const lines = (await file('csv', 'text/csv')).toString();
    for (const label of LABELS) expect(lines).toContain(label.replaceAll('"', '""'));
    const parts = await zipTexts(await file('xlsx', XLSX));
    const book = unescaped(Object.values(parts).join());
    for (const label of LABELS) expect(book).toContain(label);
    const pdf = await api
      .as('editor')
      .post(`${path}/export`, { format: 'pdf', cardIds: ['labels'] }, { headers: { accept: 'application/pdf' } });
    // A character of private use is in no font, which the reply says.
    expect(pdf.headers.get('x-warnings')).toMatch(/MISSING_GLYPHS.* U\+E000/);
    expect(await pdfText(pdf.bytes)).toContain('東京');
  });

  it('has dates of every year, which no file changes', async ({ api }) => {
    const days = ['0087-12-31', '1582-10-10', '1899-12-31', '1900-02-28', '1900-03-01', '2026-02-28', '9999-12-31'];
    const values = days.map((day, index) => `(DATE '${day}', ${index + 1})`);
    const { id } = await givenDataset(api, {
      name: 'days',
      sql: `SELECT * FROM (VALUES ${values.join(',')}) t(day, n)`,
    });
    const query = {
      source: { kind: 'dataset', id },
      dimensions: [{ column: 'day' }],
      measures: [{ column: 'n', aggregation: 'sum', label: 'n' }],
      sort: [{ column: 'day' }],
    };
    const years = {
      ...query,
      dimensions: [{ column: 'day', grain: 'year', label: 'year' }],
      sort: [{ column: 'year' }],
    };
    const { path, read } = await givenCards(api, [
      card('days', chart(query)),
      card('years', chart(years, bar('year', 'n'))),
    ]);
    for (const timezone of ['UTC', 'America/New_York', 'Asia/Tokyo']) {
      expect(
        (await read('days', { timezone })).rows.map(([day]: [string]) => day),
        timezone,
      ).toEqual(days);
      const firsts = [...new Set(days.map((day) => `${day.slice(0, 4)}-01-01`))];
      expect(
        (await read('years', { timezone })).rows.map(([day]: [string]) => day),
        timezone,
      ).toEqual(firsts);
    }
    const drawn = await api.as('editor').post(`${path}/cards/years/image`);
    expect(
      drawn.bytes
        .toString()
        .match(/aria-label="year: [^"]*/g)
        ?.map((label) => label.slice(-4)),
    ).toHaveLength(6);
    const csv = await api.as('editor').post(`${path}/export`, { format: 'csv', cardIds: ['days'] });
    expect(csv.bytes.toString()).toBe(`day,n\r\n${days.map((day, index) => `${day},${index + 1}\r\n`).join('')}`);
    const headers = { accept: XLSX };
    const xlsx = await api.as('editor').post(`${path}/export`, { format: 'xlsx', cardIds: ['days'] }, { headers });
    const book = Object.values(await zipTexts(xlsx.bytes)).join();
    // Excel has no days before March 1900: those are texts, and the first that it has right is a number.
    for (const day of days.slice(0, 4)) expect(book).toContain(day);
    for (const day of days.slice(4)) expect(book).not.toContain(day);
    expect(book).toContain('<v>61</v>');
  });

  it('of 50,000 categories draws the first rows and says so; its file has all of them', async ({ api }) => {
    const sql = `SELECT 'Category ' || lpad(i::VARCHAR, 5, '0') AS name, i AS n FROM range(50000) t(i)`;
    const { id } = await givenDataset(api, { name: 'many', sql });
    const query = {
      source: { kind: 'dataset', id },
      dimensions: [{ column: 'name' }],
      measures: [{ column: 'n', aggregation: 'sum', label: 'n' }],
      sort: [{ column: 'name' }],
    };
    const { path, read } = await givenCards(api, [
      card('bars', chart(query, bar('name', 'n'))),
      card(
        'colors',
        chart(query, { mark: { type: 'arc' }, encoding: { theta: { field: 'n' }, color: { field: 'name' } } }),
      ),
    ]);
    expect(await read('bars')).toMatchObject({ rowCount: 1000, truncated: true });
    for (const cardId of ['bars', 'colors']) {
      const drawn = await api.as('editor').post(`${path}/cards/${cardId}/image`);
      expect([drawn.status, drawn.bytes.toString().slice(0, 4)], cardId).toEqual([200, '<svg']);
    }
    const file = await api.as('editor').post(`${path}/export`, { format: 'csv', cardIds: ['bars'] });
    const lines = file.bytes.toString().trimEnd().split('\r\n');
    expect([file.headers.get('x-truncated'), lines.length, lines.at(-1)]).toEqual([
      'false',
      50_001,
      'Category 49999,49999',
    ]);
  });
});

describe('a dashboard of 200 cards', () => {
  it('is read, published and exported whole, and takes no further card', async ({ api }) => {
    const { id } = await givenDataset(api, { name: 'one', sql: 'SELECT 1 AS n' });
    const query = (index: number) => ({
      source: { kind: 'dataset', id },
      dimensions: [{ column: 'n', label: `n${index % 4}` }],
    });
    const { path } = await givenCards(api, []);
    const cards = Array.from({ length: 200 }, (_, index) => ({
      id: `c${index}`,
      ...{ cardType: 'chart', title: `Card ${index}`, chartSpec: chart(query(index)) },
      position: { x: (index % 4) * 6, y: Math.floor(index / 4) * 4, w: 6, h: 4 },
    }));
    const made = await api.as('editor').send('PUT', `${path}/file`, {
      text: `# JSON is YAML too\n${JSON.stringify({ version: 1, cards })}`,
      headers: { 'content-type': 'application/yaml' },
    });
    expect(made.status, JSON.stringify(made.body).slice(0, 500)).toBe(200);
    const more = await api.as('editor').post(`${path}/cards`, { ...cards[0], id: 'more' });
    expect([more.status, more.body.code]).toEqual([409, 'DASHBOARD_TOO_LARGE']);
    expect((await api.as('editor').post(`${path}/publish`, {})).status).toBe(200);

    const stream = await api.as('viewer').post(`${path}/data/stream`);
    const lines = stream.body
      .trimEnd()
      .split('\n')
      .map((line: string) => JSON.parse(line));
    expect(lines.at(-1)).toEqual({ complete: true, cards: 200, failed: 0 });
    const answers = lines.slice(0, -1) as { cardId: string; data: { asOf: string; rows: unknown } }[];
    expect(new Set(answers.map(({ cardId }) => cardId)).size).toBe(200);
    expect(answers.every(({ data }) => JSON.stringify(data.rows) === '[[1]]')).toBe(true);
    // Four queries.
    expect(new Set(answers.map(({ data }) => data.asOf)).size).toBeLessThanOrEqual(4);

    const headers = { accept: 'application/pdf' };
    const pdf = await api.as('viewer').post(`${path}/export`, { format: 'pdf' }, { headers });
    expect([pdf.status, pdf.headers.get('x-failed-cards')]).toEqual([200, '0']);
    const words = await pdfText(pdf.bytes);
    for (const { title } of cards) expect(words).toContain(title);
  });
});
