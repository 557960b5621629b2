import type { Mail } from '../../../../shared/platform/mail/compose.ts';

/**
 * A link to a page of the web app, or the token to enter where there is no web app. The token is in the fragment, which
 * browsers send to no server.
 */
export function linkTo(link: {
  appUrl: string | undefined;
  page: string;
  label: string;
  token: string;
}): Mail['action'] {
  const { appUrl, page, label, token } = link;
  return appUrl
    ? { label, url: `${appUrl}/${page}#token=${token}` }
    : { label: `${label} with this code`, code: token };
}
