import type { Access } from '../../browser/access.ts';
import { ApiError, call } from './api.ts';
import { memberGlossary } from './glossary.ts';

/** Reads the cards of a dashboard as the signed-in person. */
export function memberAccess(dashboardId: string): Access {
  const dashboard = `/api/dashboards/${dashboardId}`;
  return {
    readCard: async (cardId, reading) => (await call('POST', `${dashboard}/cards/${cardId}/data`, reading)).json(),
    drawCard: async (cardId, drawing) => (await call('POST', `${dashboard}/cards/${cardId}/image`, drawing)).text(),
    readValues: async ({ id }, page) => {
      const reply = await call('POST', `${dashboard}/filters/${id}/values`, page);
      return reply.json();
    },
    terms: memberGlossary(),
    ends: endsSignIn,
  };
}

/** Reloading the address shows the sign-in page once the sign-in has ended. */
export function endsSignIn(error: unknown): boolean {
  if (!(error instanceof ApiError) || (error.status !== 401 && error.code !== 'INVALID_REFRESH_TOKEN')) return false;
  location.reload();
  return true;
}
