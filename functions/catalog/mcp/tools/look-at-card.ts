import { readingProperties } from '../../../../shared/domains/boards/cards/index.ts';
import type { Operations } from '../../common/operations.ts';
import { boundedRows, DEFAULT_ROWS, limit } from '../limits.ts';
import type { Arguments, Tool, ToolResult } from '../tool.ts';
import { readWithSource } from '../trust.ts';

const PNG = 'image/png';

export const lookAtCard: Tool = {
  name: 'look_at_card',
  title: 'Look at a card',
  description:
    'Reads the rows that a card of a dashboard shows to you, and draws it if you ask for a picture. Take the ids of cards and filters from `describe`. Pictures are exports: they need the right to export and are in the audit log.',
  input: {
    type: 'object',
    properties: {
      dashboardId: { type: 'string', format: 'uuid', description: 'The id of the dashboard.' },
      cardId: { type: 'string', minLength: 1, maxLength: 64, description: 'The id of the card.' },
      filters: readingProperties.filters,
      timezone: readingProperties.timezone,
      limit,
      picture: { type: 'boolean', default: false, description: 'Whether to add the card as a PNG.' },
    },
    required: ['dashboardId', 'cardId'],
  },
  async run({ picture: wantsPicture = false, limit: maxRows = DEFAULT_ROWS, ...card }, operations) {
    const { dashboardId: id, cardId, ...reading } = card;
    const path = `/api/dashboards/${id}/cards/${encodeURIComponent(cardId)}/data`;
    const request = { group: 'cards', method: 'POST', path, body: reading } as const;
    const { reply, source } = await readWithSource(operations, { type: 'dashboard', id }, request);
    const { cache: _cache, ...rows } = reply;
    const drawn = wantsPicture ? await draw(operations, card) : undefined;
    return { ...drawn, value: { source, ...boundedRows(rows, maxRows), ...drawn?.value } };
  },
};

/** The picture, or a link to one of more than 4 MB. */
async function draw(operations: Operations, { dashboardId, cardId, ...reading }: Arguments): Promise<ToolResult> {
  const { headers, body } = await operations.send({
    group: 'exports',
    method: 'POST',
    path: `/api/dashboards/${dashboardId}/export`,
    accept: PNG,
    body: { format: 'png', cardIds: [cardId], ...reading },
  });
  if (headers['content-type'] === PNG) return { value: {}, picture: { mimeType: PNG, data: body } };
  return { value: { picture: JSON.parse(body) } };
}
