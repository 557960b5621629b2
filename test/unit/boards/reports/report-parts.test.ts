import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  parameterValues,
  type Report,
  type ReportBlock,
  reportParts,
} from '../../../../shared/domains/boards/reports/index.ts';

const SOURCE = '00000000-0000-7000-8000-000000000000';

const table = (id: string, kind: 'dataset' | 'model' | 'savedQuery', bindings: object[] = []): ReportBlock =>
  ({
    id,
    type: 'table',
    chartSpec: { version: 1, query: { source: { kind, id: SOURCE } }, mark: { type: 'table' } },
    bindings,
  }) as ReportBlock;

const report = (blocks: ReportBlock[], parameters: Report['parameters'] = []): Report => ({
  id: 'r1',
  workspaceId: 'w1',
  name: 'Sales',
  description: '',
  isPublished: false,
  ownerId: 'ada',
  blockCount: blocks.length,
  deletedAt: null,
  deletedBy: null,
  createdBy: 'ada',
  updatedBy: 'ada',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  revision: 1,
  layout: { blocks },
  parameters,
});

describe('the parts of a report', () => {
  it('lie below each other, and page breaks begin pages', () => {
    const { pages, cards } = reportParts(
      report([
        { id: 'a', type: 'heading', text: 'A' },
        table('b', 'dataset'),
        { id: 'c', type: 'page_break' },
        { id: 'd', type: 'divider' },
      ]),
      new Map(),
    );
    expect(pages.map(({ id }) => id)).toEqual(['page-1', 'page-2']);
    expect(cards.map(({ id, pageId, position: { y, h } }) => [id, pageId, y, h])).toEqual([
      ['a', 'page-1', 0, 2],
      ['b', 'page-1', 2, 8],
      ['d', 'page-2', 0, 1],
    ]);
    expect(reportParts(report([table('b', 'dataset')]), new Map()).pages).toEqual([]);
  });

  it('contain the whole of a text, in cards that fit on a page', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 0, maxLength: 9_000 }), { minLength: 1, maxLength: 60 }), (lines) => {
        const text = `x${lines.join('\n')}`;
        const { cards } = reportParts(report([{ id: 'a', type: 'text', text }]), new Map());
        const bare = (value: string) => value.replaceAll(/\s/g, '');
        expect(bare(cards.map(({ textContent }) => textContent).join('\n'))).toBe(bare(text));
        expect(cards.every(({ position }) => position.h <= 13)).toBe(true);
        expect(new Set(cards.map(({ id }) => id)).size).toBe(cards.length);
      }),
      { numRuns: 20 },
    );
  });

  it.each([
    [
      'a list',
      [{ parameter: 'list', fieldId: 'f' }],
      'dataset',
      { filters: [{ column: 'f', op: 'in', values: ['a', 'b'] }] },
    ],
    [
      'a value',
      [{ parameter: 'day', fieldId: 'f' }],
      'model',
      { filters: [{ fieldId: 'f', op: 'eq', values: ['2026-01-31'] }] },
    ],
    [
      'an operator',
      [{ parameter: 'day', fieldId: 'f', op: 'gte' }],
      'model',
      { filters: [{ fieldId: 'f', op: 'gte', values: ['2026-01-31'] }] },
    ],
    [
      'a parameter of a saved query',
      [{ parameter: 'day', queryParameter: 'p' }],
      'savedQuery',
      { params: { p: '2026-01-31' } },
    ],
    [
      'no value',
      [
        { parameter: 'none', fieldId: 'f' },
        { parameter: 'empty', fieldId: 'f' },
      ],
      'model',
      {},
    ],
  ] as const)('have conditions of their own for %s', (_what, bindings, kind, expected) => {
    const wanted = report(
      [table('b', kind, [...bindings])],
      [
        { name: 'list', type: 'text', isList: true, default: ['a', 'b'] },
        { name: 'day', type: 'date', default: '2026-01-01' },
        { name: 'none', type: 'text' },
        { name: 'empty', type: 'text', isList: true, default: ['x'] },
      ],
    );
    const given = [
      { name: 'day', value: '2026-01-31' },
      { name: 'empty', value: [] },
    ];
    const [card] = reportParts(wanted, parameterValues(wanted, given, [])).cards;
    expect(card!.chartSpec!.query).toEqual({ source: { kind, id: SOURCE }, ...expected });
  });
});
