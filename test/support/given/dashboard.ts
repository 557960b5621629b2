import type { Api } from '../api.ts';
import { posted } from './model.ts';

export const POSITION = { x: 0, y: 0, w: 12, h: 6 };

export async function givenDashboard(api: Api, body: object = {}): Promise<{ id: string; path: string }> {
  const { id } = await posted(api, '/api/dashboards', { name: 'Sales', ...body });
  return { id, path: `/api/dashboards/${id}` };
}

/** A card with a text, which needs no data. */
export const textCard = (id: string, more: object = {}) => ({
  id,
  cardType: 'text',
  textContent: `The text of ${id}`,
  position: POSITION,
  ...more,
});
