import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { it } from '../../support/api.ts';
import { dagOf, finishedRun, givenFiles, type StepInput } from './given.ts';

const text = readFileSync(join(import.meta.dirname, '../../../docs/pipelines.md'), 'utf8');
const [, first, csv] = /```json\n([\s\S]*?)```\n\n```csv\n([\s\S]*?)```/.exec(text)!;

interface Example {
  title: string;
  steps: string;
  query: string;
  rows: unknown[][];
}

const EXAMPLES: Example[] = text.split(/\n## /).flatMap((section) =>
  [...section.matchAll(/```json\n(\[\n[\s\S]*?)```\n\n```sql\n([\s\S]*?)```\n\n```json\n([\s\S]*?)```/g)].map(
    ([, steps, query, rows], index) => ({
      title: `${section.slice(0, section.indexOf('\n'))} ${index + 1}`,
      steps: steps!,
      query: query!,
      rows: JSON.parse(rows!) as unknown[][],
    }),
  ),
);

describe('docs/pipelines.md', () => {
  it('has examples of steps, each with what comes of it', () => {
    expect(EXAMPLES.length).toBe(text.match(/```sql/g)!.length);
  });

  it.for(EXAMPLES)('tells what happens: $title', async ({ steps, query, rows }, { api }) => {
    const files = await givenFiles(api, { 'orders.csv': csv! });
    const parse = (json: string) => JSON.parse(json.replaceAll('<files>', files));
    await finishedRun(api, dagOf(parse(first!) as StepInput, ...(parse(steps) as StepInput[])));
    expect((await api.as('editor').post('/api/query', { sql: query })).body.rows).toEqual(rows);
  });
});
