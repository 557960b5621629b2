import type { Bookmark } from '../../browser/bookmarks.ts';
import type { call } from './api.ts';

export const listBookmarks = async (read: typeof call, dashboardId: string): Promise<Bookmark[]> => {
  const reply = await read('GET', `/api/dashboards/${dashboardId}/bookmarks`);
  return ((await reply.json()) as { items: Bookmark[] }).items;
};
