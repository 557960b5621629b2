// biome-ignore-all lint/suspicious/noTemplateCurlyInString: files have variables
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { sqlFilesIn, sqlOfYaml, withSqlFiles, yamlOfSql } from '../../src/definitions/sql-file.ts';

const FILE = `-- name: Open orders
-- folder: finance
-- datasets: [orders, customers]
SELECT *
FROM \${schema}.orders
  WHERE state = 'open' -- folder: none
`;

describe('a saved query as a file of SQL', () => {
  it('has its members in comments at the top', async () => {
    const { yaml, placeInSql } = yamlOfSql(FILE);
    expect(parse(yaml)).toEqual({
      name: 'Open orders',
      folder: 'finance',
      datasets: ['orders', 'customers'],
      sql: "SELECT *\nFROM ${schema}.orders\n  WHERE state = 'open' -- folder: none",
    });
    expect(placeInSql({ line: 2, column: 1 })).toEqual({ line: 2, column: 4 });
    expect(placeInSql({ line: 4, column: 1 })).toEqual({ line: 4, column: 1 });
    expect(placeInSql({ line: 6, column: 8 })).toEqual({ line: 5, column: 6 });
    expect(await sqlOfYaml(yaml)).toBe(FILE.replace('[orders, customers]', '[ orders, customers ]'));
  });

  it('may have an empty line below them, and none of them', () => {
    expect(parse(yamlOfSql('-- name: A\n\nSELECT 1\n').yaml)).toEqual({ name: 'A', sql: 'SELECT 1' });
    expect(parse(yamlOfSql('SELECT 1\n-- name: A').yaml)).toEqual({ sql: 'SELECT 1\n-- name: A' });
    expect(parse(yamlOfSql('-- a comment\nSELECT 1\n\n').yaml)).toEqual({ sql: '-- a comment\nSELECT 1\n' });
    expect(parse(yamlOfSql('-- name: A\n').yaml)).toEqual({ name: 'A', sql: '' });
  });

  it('has any statement and any members, and comes back', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 40 }).filter((each) => !/[\ue000\ue001]/.test(each));
    const line = fc.oneof(
      text,
      fc.constantFrom('-- name: B', '', '  ', '- a', '# b', '"', '${x}', '$${x}', '\t', '|2-'),
    );
    const sql = fc.array(line, { minLength: 1, maxLength: 5 }).map((lines) => lines.join('\n'));
    await fc.assert(
      fc.asyncProperty(sql, text, fc.array(text, { maxLength: 3 }), async (statement, name, tags) => {
        const file = await sqlOfYaml(JSON.stringify({ name, params: tags, sql: statement }));
        const read = parse(yamlOfSql(file).yaml);
        expect(read, file).toEqual({ name, params: tags, sql: statement });
        expect(await sqlOfYaml(yamlOfSql(file).yaml)).toBe(file);
      }),
      { numRuns: 100 },
    );
  });
});

describe('statements in files of their own', () => {
  const PIPELINE = 'a: 1\nconfig: { sql: { file: nightly/clean.sql }, b: {}x }\nsql: {file: "x.sql"} # note\n';

  it('are in the place of their names, and leave others as they are', () => {
    expect(sqlFilesIn(PIPELINE)).toEqual(['nightly/clean.sql', 'x.sql']);
    const { text, placeInFile } = withSqlFiles(PIPELINE, new Map([['nightly/clean.sql', 'SELECT "a"\nFROM b\n']]));
    expect(text).toBe('a: 1\nconfig: { sql: "SELECT \\"a\\"\\nFROM b", b: {}x }\nsql: {file: "x.sql"} # note\n');
    const line = text.split('\n')[1]!;
    expect(placeInFile({ line: 2, column: line.indexOf('FROM') })).toEqual({ line: 2, column: 16 });
    expect(placeInFile({ line: 2, column: line.indexOf('b: {}') + 1 })).toEqual({ line: 2, column: 45 });
    expect(placeInFile({ line: 3, column: 9 })).toEqual({ line: 3, column: 9 });
  });
});
