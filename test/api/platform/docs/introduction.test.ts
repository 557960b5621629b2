import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { call } from '../../../support/http.ts';

const TEXT = readFileSync(join(import.meta.dirname, '../../../../functions/platform/docs/introduction.md'), 'utf8');

const blocksOf = (language: string): string[] =>
  [...TEXT.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, code]) => code!);

/** The requests of the shell examples, for another address and key than those written there. */
function requestsOf(code: string, api: { endpoint: string; key: string }) {
  const lines = code.replaceAll('\\\n', '').split('\n');
  return lines
    .filter((line) => line.startsWith('curl '))
    .map((line) => {
      const words = [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, single, double, plain]) =>
        (single ?? double ?? plain)!.replace('$KEY', api.key).replace('http://localhost:3000', api.endpoint),
      );
      const options = (name: string) => words.filter((_word, index) => words[index - 1] === name);
      const headers = Object.fromEntries(
        options('-H').map((header) => {
          const [name, value] = header.split(': ');
          return [name!.toLowerCase(), value!];
        }),
      );
      return { url: words[1]!, headers, text: options('-d')[0] };
    });
}

describe('the introduction of the reference', () => {
  it('shows requests that work as they stand', async ({ api }) => {
    const key = await api.token('admin');
    const requests = blocksOf('sh').flatMap((code) => requestsOf(code, { endpoint: api.endpoint, key }));
    const replies = [];
    for (const { url, headers, text } of requests) {
      replies.push(await call('', text ? 'POST' : 'GET', url, { headers, ...(text !== undefined && { text }) }));
    }
    expect(replies.map(({ status }) => status)).toEqual([200, 201, 200]);
    expect(replies[2]!.body.items).toMatchObject([JSON.parse(requests[1]!.text!)]);
  });

  it('shows an error as it is answered', async ({ api }) => {
    const shown = JSON.parse(blocksOf('json')[0]!);
    const reply = await api.as('admin').post('/api/data-sources', { type: 'file' });
    expect(reply.body).toEqual({ ...shown, requestId: reply.headers.get('x-request-id') });
  });
});
