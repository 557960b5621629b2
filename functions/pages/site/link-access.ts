import type { Access } from './access.ts';
import { ApiError, send } from './api.ts';

/** What opens a link. The password stays in memory: it is neither in an address nor stored. */
export interface LinkKey {
  token: string;
  password?: string;
}

/** Reads the cards of a link. `onEnd` is called once the link opens nothing any more; `key` may change in the meantime. */
export function linkAccess(key: () => LinkKey, onEnd: (error: ApiError) => void): Access {
  const post = (path: string, body: object) => {
    const { token, ...password } = key();
    return send('POST', `/api/shares/${token}/${path}`, { ...body, ...password });
  };
  return {
    readCard: (cardId, reading) => post('card-data', { cardId, ...reading }),
    drawCard: (cardId, drawing) => post('card-image', { cardId, ...drawing }),
    readValues: async ({ id }, limit) => (await post('filter-values', { filterId: id, limit })).json(),
    ends: (error) => {
      if (!(error instanceof ApiError) || !ENDS.has(error.code)) return false;
      onEnd(error);
      return true;
    },
  };
}

const ENDS = new Set(['SHARE_NOT_FOUND', 'SHARE_PASSWORD']);
