import { Unsubscribe, UnsubscribeQuery } from '../../../shared/domains/delivery/deliveries/index.ts';
import type { AuditAction } from '../../../shared/platform/audit/actions.ts';
import { defineRoute } from '../../../shared/platform/http/route.ts';

const HTML = 'text/html; charset=utf-8';

interface Subscribed {
  path: `/api/${string}/unsubscribe`;
  /** What the emails are, such as `digest`. */
  noun: string;
  operationIds: { page: string; leave: string };
  /** Absent for what only concerns the person. */
  audit?: AuditAction;
}

/** The operations behind the links to unsubscribe from emails of a kind. */
export const unsubscribeRoutes = ({ path, noun, operationIds, audit }: Subscribed) => ({
  page: defineRoute({
    operationId: operationIds.page,
    method: 'GET',
    path,
    summary: `Get the unsubscribe page of a ${noun}`,
    description:
      'Returns the HTML page that the link in each email opens. Opening it changes nothing, because mail scanners open links; its button unsubscribes the recipient.',
    permission: 'public',
    query: UnsubscribeQuery,
    success: { status: 200, contentTypes: [HTML] },
    errors: ['UNSUBSCRIBE_LINK_INVALID'],
  }),
  leave: defineRoute({
    operationId: operationIds.leave,
    method: 'POST',
    path,
    summary: `Remove a recipient of a ${noun}`,
    description:
      'Called by the unsubscribe page and by mail programs (one-click, RFC 8058), without a sign-in. Removes only the recipient of the email, whom then only they themselves can add again. Repeating the request changes nothing.',
    permission: 'public',
    query: UnsubscribeQuery,
    body: Unsubscribe,
    form: true,
    optionalBody: true,
    success: { status: 200, contentTypes: [HTML] },
    errors: ['UNSUBSCRIBE_LINK_INVALID'],
    ...(audit && { audit }),
  }),
});
