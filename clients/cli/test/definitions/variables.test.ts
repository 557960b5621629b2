// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the files have variables
import { describe, expect, it } from 'vitest';
import { escapeVariables, fillIn, secretsIn } from '../../src/definitions/variables.ts';

const VARIABLES = {
  values: new Map([
    ['schema', 'staging'],
    ['n', '5'],
  ]),
  declared: ['schema', 'n', 'region'],
  context: 'dev',
};
const fill = (text: string) => fillIn(text, VARIABLES);

describe('variables of a file', () => {
  it.for([
    ['FROM ${schema}.orders LIMIT ${n}', 'FROM staging.orders LIMIT 5'],
    ['$${schema} $$${schema}', '${schema} $${schema}'],
    ['${a.b} ${} ${1a} $schema {schema}', '${a.b} ${} ${1a} $schema {schema}'],
  ])('%s', ([file, text]) => {
    expect(fill(file!)).toMatchObject({ text, issues: [] });
  });

  it('that are unknown, or have no value here, are issues with their places', () => {
    expect(fill('a: 1\nb: ${schem} ${region}').issues).toEqual([
      {
        ...{ line: 2, column: 4 },
        message:
          'Unknown variable "schem"; did you mean "schema"? Declare it in analytics.yaml, or write $${…} for the text itself.',
      },
      { line: 2, column: 13, message: 'The variable "region" has no value in the context dev.' },
    ]);
    expect(fillIn('${region}', { ...VARIABLES, context: undefined }).issues[0]!.message).toContain('--context');
    expect(fillIn('${x}', { values: new Map(), declared: [], context: undefined }).issues[0]!.message).toBe(
      'Unknown variable "x". Declare it in analytics.yaml, or write $${…} for the text itself.',
    );
  });

  it('leave issues of the platform at their places in the file', () => {
    const { text, placeInFile } = fill('x: 1\ny: ${schema} ${n} here\n');
    expect(text).toBe('x: 1\ny: staging 5 here\n');
    const at = (column: number) => placeInFile({ line: 2, column }).column;
    expect(at(1)).toBe(1);
    expect(at(text.split('\n')[1]!.indexOf('here') + 1)).toBe('y: ${schema} ${n} here'.indexOf('here') + 1);
    // Within a value: where its variable begins.
    expect([at(4), at(8), at(12)]).toEqual([4, 4, 14]);
    expect(placeInFile({ line: 1, column: 4 })).toEqual({ line: 1, column: 4 });
  });

  it('in place of secrets go to the platform, with values of the environment', () => {
    const text =
      'name: ${schema}\nsecrets:\n  # ${n}\n  password: ${SHOP_PASSWORD}\n  headers:\n    k: ${KEY}\nz: ${n}\n';
    expect(fill(text)).toMatchObject({
      text: text.replace('name: ${schema}', 'name: staging').replace('z: ${n}', 'z: 5'),
      issues: [],
    });
    expect(escapeVariables(text)).toBe(text.replace('name: $', 'name: $$$$').replace('z: $', 'z: $$$$'));
    const environment = { SHOP_PASSWORD: 'secret', schema: 'other', KEY: '' };
    expect(secretsIn(text, environment)).toEqual({ SHOP_PASSWORD: 'secret' });
    expect(secretsIn('name: ${schema}\n', environment)).toEqual({});
    // Braces of a mapping would end the text.
    const flow = fill("secrets: { password: ${SHOP_PASSWORD}, other: '${KEY}' } # here\n");
    expect(flow.text).toBe("secrets: { password: '${SHOP_PASSWORD}', other: '${KEY}' } # here\n");
    expect(flow.placeInFile({ line: 1, column: flow.text.indexOf('other') + 1 }).column).toBe(
      "secrets: { password: ${SHOP_PASSWORD}, other: '${KEY}' } # here".indexOf('other') + 1,
    );
    expect(secretsIn(flow.text, environment)).toEqual({ SHOP_PASSWORD: 'secret' });
  });

  it('are told apart from texts that look like them', () => {
    const text = 'a ${schema} $${n} ${a.b} `${x}`';
    expect(fill(escapeVariables(text))).toMatchObject({ text, issues: [] });
  });
});
