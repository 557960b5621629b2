// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the files have variables
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readValue, rewrite } from '../../src/definitions/rewrite.ts';
import { fillIn } from '../../src/definitions/variables.ts';

const VARIABLES = {
  values: new Map([
    ['schema', 'staging'],
    ['n', '5'],
  ]),
  declared: ['schema', 'n'],
  context: 'dev',
};
const FILE = `# What customers have ordered
name: Orders # for all
folder: \${schema}

steps:
  - id: a # first
    config: { source: shop, object: { schema: \${schema}, table: orders } }
  # second
  - id: b
    limit: \${n}
sql: |
  SELECT 1
  FROM \${schema}.x -- $\${y}
`;
// biome-ignore lint/suspicious/noExplicitAny: a file has any members
type File = any;

async function rewritten(file: string, change: (value: File) => File): Promise<string> {
  const { text } = fillIn(file, VARIABLES);
  const value = (await readValue(text)) as File;
  const next = change(value) ?? value;
  const { source } = await rewrite({ source: file, text }, VARIABLES, next);
  expect(await readValue(fillIn(source, VARIABLES).text)).toEqual(next);
  return source;
}

describe('a file with another content', () => {
  it('keeps comments, and variables where they have the value', async () => {
    const changed = await rewritten(FILE, (value) => {
      value.name = 'All orders';
      value.steps[0].config.object.table = 'all';
      value.steps.splice(1, 0, { id: 'c', text: 'one\ntwo' });
      value.sql = value.sql.replace('SELECT 1', 'SELECT 2');
      value.last = '${schema}';
    });
    expect(changed).toBe(
      FILE.replace('name: Orders', 'name: All orders')
        .replace('table: orders', 'table: all')
        .replace('  # second', '  - id: c\n    text: |-\n      one\n      two\n  # second')
        .replace('SELECT 1', 'SELECT 2') + "last: '$${schema}'\n".replaceAll("'", ''),
    );
  });

  it('has another value instead of a variable that differs, and no member that is gone', async () => {
    const changed = await rewritten(FILE, ({ folder: _, ...value }) => {
      value.steps = [{ id: 'b', limit: 6 }];
      return value;
    });
    expect(changed).toContain('limit: 6');
    expect(changed).not.toMatch(/folder|first|id: a/);
    expect(changed).toContain('# second');
    expect(changed).toContain('FROM ${schema}.x');
  });

  it('names secrets by their variables', async () => {
    const source = 'name: Shop\nsecrets:\n  password: ${SHOP_PASSWORD} # the one of the shop\n';
    expect(await rewritten(source, (value) => ({ ...value, name: 'Stores' }))).toBe(
      source.replace('Shop\n', 'Stores\n'),
    );
    const more = await rewritten(source, ({ name }) => ({ name, secrets: { password: '${A}', key: '${B}' } }));
    expect(more).toBe('name: Shop\nsecrets:\n  password: ${A}\n  key: ${B}\n');
  });

  it('is written anew if it was not valid', async () => {
    const { source } = await rewrite({ source: 'a: [', text: 'a: [' }, VARIABLES, 'a: 1 # ${schema}\n');
    expect(source).toBe('a: 1 # $${schema}\n');
  });

  it('always has that content', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      fc.constantFrom('', 'yes', '1', 'null', '# a', 'a: b', '- a', ' a\n b ', '${schema}', '$${n}', "it's", 'a\n\n'),
    );
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 3 },
        text,
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('any'), { maxLength: 3 }),
        fc.dictionary(fc.stringMatching(/^[a-z]{1,2}$/), tie('any'), { maxKeys: 4 }),
      ),
    })).any;
    const file = fc.dictionary(fc.stringMatching(/^[a-z]{1,2}$/), value, { minKeys: 1, maxKeys: 4 });
    await fc.assert(
      fc.asyncProperty(file, file, async (before, after) => {
        const { stringify } = await import('yaml');
        const source = stringify(before, { lineWidth: 0 });
        const { text: filled, issues } = fillIn(source, VARIABLES);
        if (issues.length > 0) return;
        const { source: changed } = await rewrite({ source, text: filled }, VARIABLES, after);
        expect(await readValue(fillIn(changed, VARIABLES).text)).toEqual(after);
      }),
    );
  });
});
