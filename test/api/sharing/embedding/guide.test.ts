import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { givenDashboard, textCard } from '../../../support/given/dashboard.ts';
import { posted } from '../../../support/given/model.ts';
import { followGuide } from '../../../support/guide-examples.ts';

const run = promisify(execFile);
const GUIDE = readFileSync(join(import.meta.dirname, '../../../../docs/embedding.md'), 'utf8');

function snippet(language: string): string {
  const [, code] = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(GUIDE) ?? [];
  if (code === undefined) throw new Error(`docs/embedding.md has no block of ${language}`);
  return code;
}

describe('docs/embedding.md', () => {
  it('has server snippets that create tokens for the view', async ({ api }) => {
    const { id, path } = await givenDashboard(api);
    await posted(api, `${path}/cards`, textCard('note'));
    expect((await api.as('editor').post(`${path}/publish`, {})).status).toBe(200);
    const key = await api.as('owner').post('/api/api-keys', { name: 'Embedding', scope: 'admin' });
    expect(key.status).toBe(201);
    await followGuide(api, 'embedding.md', { callerOf: () => 'owner' });
    const env = { ...process.env, ANALYTICS_URL: api.endpoint, ANALYTICS_KEY: key.body.key, DASHBOARD_ID: id };

    const [node, python, curl] = await Promise.all([
      run(process.execPath, ['--input-type=module', '--eval', snippet('js')], { env }),
      run('python3', ['-c', snippet('python')], { env }),
      run('sh', ['-c', snippet('sh')], { env }),
    ]);
    const tokens = [node.stdout.trim(), python.stdout.trim(), JSON.parse(curl.stdout).token];
    expect(new Set(tokens).size).toBe(3);
    for (const token of tokens) {
      const view = await api.as('anonymous').get(`/api/e/${token}`);
      expect(view.status).toBe(200);
      expect(view.body).toContain('The text of note');
    }
  });
});
