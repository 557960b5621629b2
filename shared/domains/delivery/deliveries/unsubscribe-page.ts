import { Content } from '../../../platform/http/content.ts';
import { escapeHtml } from '../../../platform/text/escape-html.ts';
import { isSubscribed, linkedDelivery, type StoredDelivery, type UnsubscribeDeps, unsubscribe } from './unsubscribe.ts';

const STYLE = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { margin: 0 auto; max-width: 36rem; padding: 2rem 1.5rem; overflow-wrap: anywhere; }
  h1 { font-size: 1.4rem; }
  button { font: inherit; font-weight: 600; padding: 0.6em 1.2em; border: 0; border-radius: 6px; background: #0b57d0; color: #fff; cursor: pointer; }
`;

/** The page runs no script, loads nothing, and posts to its own address only. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** The pages of a link to unsubscribe. `what` names what is delivered. Both throw `UNSUBSCRIBE_LINK_INVALID`. */
export const unsubscribePages = <D extends StoredDelivery>(deps: UnsubscribeDeps<D>, what: string): UnsubscribePages =>
  linkPages(
    {
      async find(token) {
        const found = await linkedDelivery(deps, token);
        return isSubscribed(found) ? found.delivery! : undefined;
      },
      leave: (token) => unsubscribe(deps, token),
    },
    { emails: `the ${what}`, ended: `this ${what}` },
  );

export interface UnsubscribePages {
  ask(token: string): Promise<Content>;
  leave(token: string): Promise<Content>;
}

/** The same for what `find` finds by the token, which is undefined once its reader has unsubscribed. */
export const linkPages = (
  link: { find(token: string): Promise<{ name: string } | undefined>; leave(token: string): Promise<void> },
  what: { emails: string; ended: string },
): UnsubscribePages => ({
  async ask(token) {
    const found = await link.find(token);
    return found ? askPage(what.emails, found.name) : donePage(what.ended);
  },
  async leave(token) {
    await link.leave(token);
    return donePage(what.ended);
  },
});

const askPage = (emails: string, name: string): Content =>
  page(
    'Unsubscribe',
    `<p>Do you want to stop getting ${emails} <strong>${escapeHtml(name)}</strong>?</p>
    <form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button>Unsubscribe</button></form>`,
  );

const donePage = (ended: string): Content =>
  page('You are unsubscribed', `<p>You will no longer get ${ended}. You can close this page.</p>`);

/** The address contains a token, which must not reach other sites or caches. */
function page(title: string, body: string): Content {
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${STYLE}</style></head><body><h1>${title}</h1>${body}</body></html>`;
  const headers = { 'content-security-policy': POLICY, 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' };
  return new Content(html, { headers });
}
