import type { Access } from './access.ts';
import { ApiError, call } from './api.ts';

/** Reads the cards of a dashboard as the signed-in person. */
export function memberAccess(dashboardId: string): Access {
  const dashboard = `/api/dashboards/${dashboardId}`;
  return {
    readCard: (cardId, reading) => call('POST', `${dashboard}/cards/${cardId}/data`, reading),
    drawCard: (cardId, drawing) => call('POST', `${dashboard}/cards/${cardId}/image`, drawing),
    readValues: async ({ id }, limit) => {
      const reply = await call('POST', `${dashboard}/filters/${id}/values`, { limit });
      return reply.json();
    },
    ends: (error) => {
      if (!(error instanceof ApiError) || (error.status !== 401 && error.code !== 'INVALID_REFRESH_TOKEN'))
        return false;
      // The sign-in has ended: reloading the address shows the sign-in page.
      location.reload();
      return true;
    },
  };
}
