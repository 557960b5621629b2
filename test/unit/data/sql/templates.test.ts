import { describe, expect, it } from 'vitest';
import { bindTemplates, templateReferences } from '../../../../shared/data/sql/templates.ts';

const VALUES = {
  params: { region: 'eu', limit: 5, 'start-date': '2024-01-01', list: [1, 2], nothing: null, object: { a: 1 } },
  run: { id: 'r1', logicalDate: new Date(0) },
};

const refusal = (sql: string) => {
  try {
    return bindTemplates(sql, VALUES);
  } catch (error) {
    return error;
  }
};

describe('bindTemplates', () => {
  it('turns references into bound parameters, one for each reference however often it stands there', () => {
    const sql = 'SELECT {{ params.region }}, {{run.id}} FROM t WHERE a = {{params.region}} LIMIT {{   params.limit }}';
    expect(bindTemplates(sql, VALUES)).toEqual({
      sql: 'SELECT $1, $2 FROM t WHERE a = $1 LIMIT $3',
      params: ['eu', 'r1', 5],
      references: ['params.region', 'run.id', 'params.limit'],
    });
  });

  it('never lets a value become a part of the statement', () => {
    const values = { params: { x: "'; DROP TABLE t; --" } };
    expect(bindTemplates('SELECT {{ params.x }}', values)).toMatchObject({
      sql: 'SELECT $1',
      params: ["'; DROP TABLE t; --"],
    });
  });

  it('binds lists, dates, nulls and whole objects', () => {
    const sql =
      'SELECT {{params.list}}, {{run.logicalDate}}, {{params.nothing}}, {{params.object}}, {{params.object.a}}, {{params.start-date}}';
    expect(bindTemplates(sql, VALUES).params).toEqual([[1, 2], new Date(0), null, '{"a":1}', 1, '2024-01-01']);
  });

  it('leaves texts without references alone', () => {
    const sql = `SELECT $1, {'a': {'b': 1}}, '{{', "}}", $$ {{ $$ -- {{ params.nope }}\n /* {{ params.nope }} */`;
    expect(bindTemplates(sql, VALUES)).toEqual({ sql, params: [], references: [] });
  });

  it('takes a reference inside of quotes as it stands behind a backslash', () => {
    const sql = String.raw`SELECT '\{{ params.region }} it''s \{{run.id}}' AS "\{{ a }}", $$ \{{ b }} $$, '\', {{ params.region }}`;
    expect(bindTemplates(sql, VALUES)).toEqual({
      sql: String.raw`SELECT '{{ params.region }} it''s {{run.id}}' AS "{{ a }}", $$ {{ b }} $$, '\', $1`,
      params: ['eu'],
      references: ['params.region'],
    });
    expect(templateReferences(sql)).toEqual(['params.region']);
  });

  it.each([
    ["SELECT '{{ params.region }}'", 9],
    ["SELECT 'it''s {{ params.region }}'", 15],
    ["SELECT E'\\' {{ params.region }}'", 13],
    ['SELECT "{{ params.region }}"', 9],
    ['SELECT $$ {{ params.region }} $$', 11],
    ['SELECT $a$ {{ params.region }} $a$', 12],
  ])('refuses a reference inside of quotes: %s', (sql, column) => {
    expect(refusal(sql)).toMatchObject({
      code: 'SQL_PARSE',
      issues: [{ message: expect.stringContaining('within quotes'), position: { line: 1, column } }],
    });
  });

  it('reports every unknown and malformed reference with its place', () => {
    const sql =
      'SELECT {{ params.nope }},\n {{ params. }}, {{ }}, {{ params.region.length }}, {{ constructor }}, {{ params.__proto__ }}';
    expect(refusal(sql)).toMatchObject({
      issues: [
        { message: 'Unknown reference "params.nope".', position: { line: 1, column: 8 } },
        { message: expect.stringContaining('must look like'), position: { line: 2, column: 2 } },
        { message: expect.stringContaining('must look like'), position: { line: 2, column: 17 } },
        { message: 'Unknown reference "params.region.length".' },
        { message: 'Unknown reference "constructor".' },
        { message: 'Unknown reference "params.__proto__".' },
      ],
    });
  });

  it('refuses parameters of the text beside references', () => {
    expect(refusal('SELECT $1, {{ run.id }}')).toMatchObject({ issues: [{ position: { column: 8 } }] });
    expect(refusal('SELECT $own, {{ run.id }}')).toMatchObject({ issues: [{ position: { column: 8 } }] });
  });
});

describe('templateReferences', () => {
  it('lists what a text refers to, once each', () => {
    expect(templateReferences("SELECT {{ a.b }}, {{a.b}}, '{{ c }}' -- {{ d }}")).toEqual(['a.b', 'c']);
  });
});
