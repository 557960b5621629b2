import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenModel } from '../../../support/given/model.ts';
import { TPCH_QUESTIONS } from '../../../support/tpch/questions.ts';
import { TPCH_TABLES } from '../../../support/tpch/tables.ts';

const GUIDE = readFileSync(join(import.meta.dirname, '../../../../docs/tpch.md'), 'utf8');

const blocks = (language: string) =>
  [...GUIDE.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, text]) => text!);

/** The questions that the guide shows, by the number in the sentence before each. */
const SHOWN = new Map(
  [...GUIDE.matchAll(/^Question (\d+) asks/gm)].map(([, number], index) => [
    Number(number),
    JSON.parse(blocks('json')[index]!) as object,
  ]),
);

/** The model of the guide over the tables of TPC-H. */
async function givenTpch(api: Api): Promise<string> {
  for (const [name, sql] of Object.entries(TPCH_TABLES)) await givenDataset(api, { name, sql });
  const { path } = await givenModel(api);
  const [text] = blocks('yaml');
  const reply = await api
    .as('editor')
    .send('PUT', `${path}/file`, { text: text!, headers: { 'content-type': 'application/yaml' } });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return path;
}

/** Numbers as such, without the last digits of floats; the scale of decimals may differ. */
const plain = (rows: unknown[][]) =>
  rows.map((row) =>
    row.map((value) => {
      if (typeof value === 'string' && !/^-?\d+(\.\d+)?$/.test(value)) return value;
      return value === null ? null : Number(Number(value).toPrecision(12));
    }),
  );

describe('the model of TPC-H in the guide', () => {
  it('answers the questions of TPC-H as their SQL does', async ({ api }) => {
    const path = await givenTpch(api);
    const differing: Record<number, unknown> = {};
    for (const { number, question = SHOWN.get(number), sql } of TPCH_QUESTIONS) {
      const asked = await api.as('viewer').post(`${path}/query`, question);
      const expected = await api.as('editor').post('/api/query', { sql });
      const answers = [asked, expected].map(({ status, body }) => (status === 200 ? plain(body.rows) : body));
      const hasValues =
        expected.status === 200 && expected.body.rows.length > 0 && !expected.body.rows[0].includes(null);
      if (!hasValues || asked.body.tiesCut || !isDeepStrictEqual(answers[0], answers[1])) differing[number] = answers;
    }
    expect(differing).toEqual({});
  });

  it('has every question in the list of the guide', () => {
    const listed = [...GUIDE.matchAll(/^\| (\d+) .*?\| (.*?) *\|$/gm)].map(([, number, how]) => ({
      number: Number(number),
      isAsked: !how!.startsWith('not one question'),
    }));
    expect(listed.map(({ number }) => number)).toEqual(Array.from({ length: 22 }, (_, index) => index + 1));
    expect(listed.filter(({ isAsked }) => isAsked).map(({ number }) => number)).toEqual(
      TPCH_QUESTIONS.map(({ number }) => number),
    );
  });
});
