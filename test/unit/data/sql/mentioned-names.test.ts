import { tmpdir } from 'node:os';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Engine, openEngine } from '../../../../shared/data/duckdb/engine.ts';
import { mentionedNames } from '../../../../shared/data/sql/mentioned-names.ts';
import { type ParseTree, visitNodes } from '../../../../shared/data/sql/parse-tree.ts';
import { readCorpus } from '../../../support/corpus.ts';

const CORPORA = ['./corpus/legal.sql', './corpus/hostile.sql', '../../../api/semantics/query/corpus/legal.sql'];
const TRICKY = [
  'SELECT * FROM c, LATERAL (SELECT * FROM b) s, a',
  'SELECT * FROM c POSITIONAL JOIN b ASOF JOIN a USING (t)',
  'SELECT * FROM ((e JOIN b USING (i)) JOIN (c CROSS JOIN d) USING (i)), a',
  'WITH p AS (PIVOT a ON x USING sum(y)), q AS (UNPIVOT b ON c, d INTO NAME n VALUE v) SELECT * FROM p, q, e',
  'SELECT * FROM x : c, y : (SELECT 1), z : a',
  'SELECT extract(year FROM t) AS f, substring(s FROM 1 FOR 2), u FROM a WHERE u IS DISTINCT FROM v',
  'SELECT x FILTER (WHERE x > 1) FROM c GROUP BY y, z HAVING z IN (SELECT i FROM b, d) ORDER BY (SELECT 1 FROM a), y',
  'SELECT * FROM (VALUES (1, 2), (3, 4)) v(i, j), a',
  'SELECT * FROM c TABLESAMPLE 10%, a',
  'SELECT * FROM b JOIN d ON b.i = d.i AND CASE WHEN b.j THEN [1, 2] ELSE [3] END = d.k, a',
  'SELECT * FROM b UNION ALL BY NAME SELECT * FROM c, a',
  'SELECT x AS select, y AS where, z AS from FROM b, a',
  'SELECT * FROM b JOIN c ON (SELECT 1 AS where) = {qualify: 1}.qualify, a',
  'SELECT 1 FROM b WINDOW w AS (PARTITION BY p ORDER BY q, r), w2 AS (w) UNION SELECT 2 FROM (a)',
  'SELECT 1 FROM/* */b--\n,/**/a',
];
let engine: Engine;
beforeAll(async () => {
  engine = await openEngine({ memoryLimitMb: 200, threads: 1, tempDir: tmpdir() });
  return () => engine.close();
});

describe('names that a statement mentions', () => {
  it.each<[sql: string, names: string[]]>([
    ['SELECT a, b, sum(c) AS d FROM Orders GROUP BY a, b HAVING sum(c) > e ORDER BY d, a LIMIT 5', ['orders']],
    ['select * from "Or""ders  2026" -- customers\n/* regions */', ['or"ders  2026']],
    ["SELECT 'not a name' FROM 'sales', 'costs'", ['sales', 'costs']],
    ['SELECT o.amount, "o"."the sum" FROM Ähren o', ['ähren']],
    ['SELECT $name, $1 FROM t', ['t']],
    ['SELECT 1', []],
    ['', []],
    ['SELECT x FROM a, (b JOIN c ON b.i = c.i AND b.k IN (d, e)), f WHERE g IN (h, i)', ['a', 'b', 'c', 'f']],
    ['SELECT (SELECT max(x) FROM a), y FROM (SELECT z, w FROM b) s, c GROUP BY (p, q)', ['a', 'b', 'c']],
    ['WITH r AS (SELECT p, q FROM a) SELECT k, l FROM r UNION ALL SELECT m, n FROM b', ['a', 'r', 'b']],
    ['FROM values JOIN (VALUES (1), (2)) v(x) USING (x)', ['values']],
    ['SELECT x::date, y FROM o : orders, range(3) g, p', ['o', 'orders', 'p']],
    ["SELECT 1 FROM a JOIN b ON a.where = b.i AND {'select': 1} = s, c", ['a', 'b', 'c']],
    ['SELECT 1 FROM a JOIN b ON {where: x, having: y} = s, c', ['a', 'b', 'c']],
    ['SELECT * FROM (PIVOT orders ON region USING sum(amount))', ['orders']],
  ])('%s', (sql, names) => {
    expect(mentionedNames(sql)).toEqual(names);
  });

  it('are at most 5,000', () => {
    const names = (count: number) => Array.from({ length: count }, (_, i) => `c${i}`).join(', ');
    expect(mentionedNames(`SELECT ${names(6000)} FROM ${names(5000)}`)).toHaveLength(5000);
    expect(() => mentionedNames(`SELECT 1 FROM ${names(5001)}`)).toThrow('more than 5000 names');
  });

  it.each(CORPORA)('are all tables that the engine reads in the statements of %s', async (file) => {
    for (const sql of readCorpus(new URL(file, import.meta.url))) expect(await missed(sql), sql).toEqual([]);
  });

  it.each(TRICKY)('are all tables of %s', async (sql) => {
    expect(await missed(sql)).toEqual([]);
    expect(mentionedNames(sql)).toContain('a');
  });
});

/** Tables that the engine finds in the text, of which the sieve knows nothing. */
async function missed(sql: string): Promise<string[]> {
  const { statements = [] } = JSON.parse(await engine.parseTree(sql)) as ParseTree;
  const tables = new Set<string>();
  visitNodes(statements, ({ type, table_name, schema_name }) => {
    if (type === 'BASE_TABLE' && !schema_name) tables.add(String(table_name).toLowerCase());
  });
  const names = mentionedNames(sql);
  return [...tables].filter((name) => !names.includes(name));
}
