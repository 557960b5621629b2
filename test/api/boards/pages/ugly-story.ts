import type { Api } from '../../../support/api.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { givenDashboard, textCard } from '../../../support/given/dashboard.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { posted } from '../../../support/given/model.ts';
import { type GivenStory, liveBlock, paragraph } from '../../../support/given/stories.ts';
import { HOSTILE } from './browsing.ts';

const text = (value: string, ...marks: object[]) => ({ type: 'text', text: value, ...(marks.length > 0 && { marks }) });
const p = (value: string) => ({ type: 'paragraph', content: [text(value)] });
const block = (id: string, type: string, content?: object[], attrs: object = {}) => ({
  type,
  attrs: { id, ...attrs },
  ...(content && { content }),
});
const heading = (id: string, level: number, words: string) => block(id, 'heading', [text(words)], { level });
const link = (href: string) => ({ type: 'link', attrs: { href } });

export const LONG_WORD = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(3);
const SENTENCE = 'Revenue grew in all regions, above all in the north, where two large customers renewed early. ';
const MANY_COLUMNS = 20;

const row = (type: string, cells: string[]) => ({
  type: 'tableRow',
  content: cells.map((cell) => ({ type, content: [p(cell)] })),
});

/** Texts that are hard to show: long, wide, hostile, nested, and empty. */
export async function givenUglyStory(api: Api, { live = [] }: { live?: object[] } = {}): Promise<GivenStory> {
  const numbers = ['1e308', '-0.000000000001', '9007199254740993', '0', '—', '12,345,678,901,234.56'];
  const sections = [
    {
      title: `Summary ${HOSTILE} ${SENTENCE}`.slice(0, 200),
      content: {
        type: 'doc',
        content: [
          paragraph('intro', SENTENCE.repeat(4).trim()),
          block('marks', 'paragraph', [
            text('Plain, '),
            text('bold', { type: 'bold' }),
            text(' and '),
            text('struck', { type: 'strike' }),
            text(', a '),
            text('link', link('https://example.com/?a=1&b="2"')),
            text(' and '),
            text('SELECT 1', { type: 'code' }),
            text('; the value is '),
            {
              type: 'value',
              attrs: { id: 'v', source: { metricId: '0192f3c4-5d6e-7f80-9a1b-2c3d4e5f6071' }, written: '1,250 €' },
            },
            text('.'),
          ]),
          paragraph('hostile', HOSTILE),
          paragraph('word', LONG_WORD),
          ...['info', 'success', 'warning', 'danger'].map((tone) =>
            block(tone, 'callout', [p(`${tone}: ${SENTENCE}`)], { tone }),
          ),
          block('quoted', 'blockquote', [p(SENTENCE), p('Said the customer.')]),
        ],
      },
    },
    {
      title: 'Tables and code',
      content: {
        type: 'doc',
        content: [
          heading('small', 1, 'A small table'),
          block('table', 'table', [
            row('tableHeader', ['Region', 'Revenue', 'Note']),
            ...numbers.map((number) => row('tableCell', ['North', number, SENTENCE])),
          ]),
          heading('wide', 1, `A wide table with ${LONG_WORD}`),
          block('wide-table', 'table', [
            row(
              'tableHeader',
              Array.from({ length: MANY_COLUMNS }, (_, at) => `Column ${at}`),
            ),
            ...Array.from({ length: 12 }, () =>
              row(
                'tableCell',
                Array.from({ length: MANY_COLUMNS }, (_, at) => (at === 7 ? LONG_WORD : numbers[at % 6]!)),
              ),
            ),
          ]),
          heading('code', 2, 'Code'),
          block('program', 'codeBlock', [text(`SELECT ${LONG_WORD}\nFROM orders\nWHERE region = 'north'\n`)]),
          block('picture', 'image', undefined, { src: 'https://example.com/a.png', alt: 'A map of the north' }),
        ],
      },
    },
    {
      title: null,
      content: {
        type: 'doc',
        content: [
          paragraph('untitled', 'A section without a title.'),
          block('list', 'bulletList', [
            {
              type: 'listItem',
              content: [p('First'), { type: 'bulletList', content: [{ type: 'listItem', content: [p(SENTENCE)] }] }],
            },
            { type: 'listItem', content: [p('Second')] },
          ]),
          block('ordered', 'orderedList', [{ type: 'listItem', content: [p('Third')] }], { start: 3 }),
          block('line', 'divider'),
          paragraph('last', 'مرحبا بالعالم and 你好，世界 and 👩‍👩‍👧‍👦.'),
        ],
      },
    },
    ...(live.length > 0
      ? [{ title: 'Live', content: { type: 'doc', content: [p('Before'), ...live, p('After')] } }]
      : []),
    { title: 'Empty', content: { type: 'doc', content: [] } },
  ];
  const title = `Weekly ${HOSTILE} ${LONG_WORD}`.slice(0, 200);
  const story = await posted(api, '/api/stories', { title, summary: SENTENCE.repeat(3), sections });
  return {
    id: story.id,
    path: `/api/stories/${story.id}`,
    sections: (story.sections as { id: string }[]).map(({ id }) => id),
  };
}

/** Live blocks over ugly numbers: a table, bars, cards of dashboards, and some that cannot be shown. */
export async function givenLiveBlocks(api: Api): Promise<object[]> {
  const { id: datasetId } = await givenDataset(api, {
    name: 'ugly',
    sql: `SELECT * FROM (VALUES
      ('tiny', 0.000000000012345::DOUBLE, 1::BIGINT, NULL::DATE, 'x'),
      ('huge', 1.5e308, 9007199254740993, DATE '2026-02-28', '${LONG_WORD}'),
      ('none', NULL, NULL, NULL, NULL),
      ('negative', -1234567.891, -5, DATE '1900-01-01', $$${HOSTILE}$$)) AS t(name, amount, count, day, note)`,
  });
  const source = { kind: 'dataset', id: datasetId };
  const columns = ['name', 'amount', 'count', 'day', 'note'];
  const table = { query: { source, dimensions: columns.map((column) => ({ column })) }, mark: { type: 'table' } };
  const bars = {
    query: {
      source,
      dimensions: [{ column: 'name' }],
      measures: [{ column: 'count', aggregation: 'sum', label: 'Count' }],
    },
    mark: { type: 'bar' },
    encoding: { x: { field: 'name' }, y: { field: 'Count' } },
  };
  const { id: dashboardId } = await givenCards(api, [
    card('number', chart({ source, measures: [{ column: 'name', aggregation: 'count', label: 'Rows' }] }), {
      title: `Rows ${HOSTILE}`,
    }),
    textCard('words', { title: 'Words', textContent: '## Note\n**bold**' }),
  ]);
  const hidden = await givenDashboard(api);
  const own = (spec: object) => ({ kind: 'chart', chartSpec: { version: 1, ...spec } });
  const ofDashboard = (id: string, cardId: string) => ({ kind: 'card', dashboardId: id, cardId });
  return [
    liveBlock('live-table', own(table), { title: `Ugly numbers ${HOSTILE}` }),
    liveBlock('live-bars', own(bars), { title: 'Bars', height: 6 }),
    liveBlock('live-number', ofDashboard(dashboardId, 'number')),
    liveBlock('live-words', ofDashboard(dashboardId, 'words')),
    liveBlock('live-gone', ofDashboard(dashboardId, 'gone')),
    liveBlock('live-hidden', ofDashboard(hidden.id, 'any'), { title: 'Of a dashboard that readers do not see' }),
    liveBlock('live-slot', { kind: 'slot', label: 'Choose' }),
  ];
}
