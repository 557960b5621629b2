import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { it } from '../../support/api.ts';
import { endedRefresh } from '../../support/given/dataset-job.ts';
import { givenFileSource } from '../../support/given/upload.ts';

const text = readFileSync(join(import.meta.dirname, '../../../docs/datasets.md'), 'utf8');
const EXAMPLES = [...text.matchAll(/```http\n(\w+) (\S+)\n([\s\S]*?)```\n[\s\S]*?```json\n([\s\S]*?)```/g)].map(
  ([, method, path, body, reply]) => ({ method: method!, path: path!, body: body!.trim(), reply: JSON.parse(reply!) }),
);
const ORDERS = 'id,placed,amount\n1,2026-01-05,12.50\n2,2026-01-20,99.00\n3,2026-02-03,7.25\n';

describe('docs/datasets.md', () => {
  it('shows replies as they are', async ({ api }) => {
    expect(EXAMPLES.length).toBe(text.match(/```http/g)!.length);
    const files = await givenFileSource(api, { 'orders.csv': ORDERS });
    let id = '';
    for (const { method, path, body, reply } of EXAMPLES) {
      const fill = (template: string) => template.replaceAll('{files}', files).replaceAll('{id}', id);
      const options = body ? { text: fill(body) } : {};
      const answer = await api.as('editor').send(method, fill(path), options);
      expect(answer.body, `${method} ${path}`).toMatchObject(reply);
      if (path === '/api/datasets') id = answer.body.id;
      if (answer.body.job || answer.status === 202) await endedRefresh(api, id);
    }
  });
});
