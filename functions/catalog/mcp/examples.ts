import type { ExamplesOf } from '../../../shared/platform/http/example.ts';
import type * as routes from './routes.ts';

const text = JSON.stringify({ items: [], total: 0, nextCursor: null, omitted: [] });

export const examples: ExamplesOf<typeof routes> = {
  callMcp: {
    request: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'find', arguments: { q: 'revenue', certified: true } },
    },
    reply: { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text }] } },
  },
};
