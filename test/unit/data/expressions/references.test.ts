import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  analyze,
  fieldReference,
  fromStored,
  measureReference,
  referencesOf,
  type Scope,
  toStored,
} from '../../../../shared/data/expressions/index.ts';

const scopeOf = (alias: string, field: string, measure: string): Scope => ({
  tables: [
    { id: 'orders', alias, fields: [{ id: 'amount', name: field, dataType: 'decimal' }] },
    { id: 'customers', alias: 'customers', fields: [{ id: 'segment', name: 'segment', dataType: 'string' }] },
  ],
  measures: [{ id: 'revenue', name: measure, expression: 'SUM([customers.segment])' }],
});

const BEFORE = scopeOf('orders', 'amount', 'Revenue');
const TEXT = 'DIVIDE( SUM([ORDERS.Amount]),{Revenue} )  + COUNT([ customers.segment ]) / 2 -- "[orders.amount]"';

describe('references', () => {
  it('are stored by id, and everything else as it is written', () => {
    const stored = toStored(TEXT, BEFORE);
    expect(stored.segments).toEqual([
      'DIVIDE( SUM(',
      { field: 'amount', text: '[ORDERS.Amount]' },
      '),',
      { measure: 'revenue', text: '{Revenue}' },
      ' )  + COUNT(',
      { field: 'segment', text: '[ customers.segment ]' },
      ') / 2 -- "[orders.amount]"',
    ]);
    expect(referencesOf(stored)).toEqual({ fields: ['amount', 'segment'], measures: ['revenue'] });
    expect(fromStored(stored, BEFORE)).toBe(TEXT);
    expect(JSON.parse(JSON.stringify(stored))).toEqual(stored);
  });

  it('show new names after a rename, with the quotes that they need', () => {
    const renamed = scopeOf('sales.2026', 'net [EUR]', 'Total "x}"');
    expect(fromStored(toStored(TEXT, BEFORE), renamed)).toBe(
      'DIVIDE( SUM(["sales.2026"."net [EUR]"]),{"Total ""x}"""} )  + COUNT([ customers.segment ]) / 2 -- "[orders.amount]"',
    );
  });

  it('follow a field whose old name went to another one', () => {
    const field = (id: string, name: string) => ({ id, name, dataType: 'integer' as const });
    const scope = (first: string, second: string): Scope => ({
      tables: [{ id: 't', alias: 't', fields: [field('a', first), field('b', second)] }],
      measures: [],
    });
    const stored = toStored('[a] - [t.b]', scope('a', 'b'));
    expect(fromStored(stored, scope('b', 'a'))).toBe('[b] - [t.a]');
  });

  it('get their table once there are several', () => {
    const [orders] = BEFORE.tables;
    const stored = toStored('SUM([amount])', { tables: [orders!], measures: [] });
    expect(fromStored(stored, BEFORE)).toBe('SUM([orders.amount])');
    expect(fromStored(stored, { ...BEFORE, home: 'orders' })).toBe('SUM([amount])');
  });

  it('keep the last name of what is gone, which is then reported', () => {
    const without: Scope = { tables: [BEFORE.tables[1]!], measures: [] };
    const text = fromStored(toStored('SUM([orders.amount]) + {Revenue}', BEFORE), without);
    expect(text).toBe('SUM([orders.amount]) + {Revenue}');
    const { diagnostics, dependsOn } = analyze(text, without, { purpose: 'measure' });
    expect(diagnostics.map(({ code }) => code)).toEqual([2001, 2002]);
    expect(dependsOn).toEqual({ fields: [], measures: [] });
  });

  it('list what a text with errors depends on', () => {
    const { ok, dependsOn } = analyze('SUM([orders.amount]) + {Revenue', BEFORE, { purpose: 'measure' });
    expect({ ok, dependsOn }).toEqual({ ok: false, dependsOn: { fields: ['amount'], measures: [] } });
  });

  it('read back every name that they can show', () => {
    const name = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }),
      fc.string({
        unit: fc.constantFrom('[', ']', '{', '}', '"', '.', ' ', '\n', 'a', '#', "'", '\\'),
        minLength: 1,
        maxLength: 8,
      }),
    );
    fc.assert(
      fc.property(name, name, name, (alias, field, measure) => {
        const scope = scopeOf(`${alias}!`, field, measure);
        const text = `SUM(${fieldReference(`${alias}!`, field)}) + ${measureReference(measure)}`;
        expect(referencesOf(toStored(text, scope))).toEqual({ fields: ['amount'], measures: ['revenue'] });
        expect(fromStored(toStored(TEXT, BEFORE), scope).startsWith('DIVIDE( SUM([')).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
