import { pageDocument } from '../../../shared/domains/boards/dashboard-pages/index.ts';
import { html } from '../../../shared/platform/text/html.ts';
import type { PageFiles } from './page-files.ts';

const TEXTS: Record<number, [title: string, text: string]> = {
  400: [
    'This address is not valid',
    'Part of the address is missing or mistyped. Open the dashboard without the filters in the address.',
  ],
  404: [
    'There is no such dashboard',
    'It may be deleted or unpublished, it may belong to another workspace, or you may not have access to it.',
  ],
};
const LINK_TEXTS: Record<number, [title: string, text: string]> = {
  400: ['This address is not valid', 'Part of the address is missing or mistyped. Ask the sender for the link again.'],
  404: [
    'This link does not work',
    'It may be incomplete, it may have expired, or its owner may have removed it. Ask the sender for another one.',
  ],
};
const OTHER: [title: string, text: string] = [
  'The page cannot be shown',
  'Something went wrong on our side. Please try again in a moment.',
];

/**
 * Explains to readers why the page cannot be shown. A missing dashboard and one that the reader may not see look the
 * same, as do links that never existed and those that have ended.
 */
export function problemPage(
  files: PageFiles,
  nonce: string,
  { status, requestId, isLink }: { status: number; requestId: string; isLink: boolean },
) {
  const [title, text] = (isLink ? LINK_TEXTS : TEXTS)[status] ?? OTHER;
  const { dashboard, ...assets } = files;
  return pageDocument({
    title,
    assets: { ...assets, ...(!isLink && { script: dashboard }) },
    nonce,
    config: null,
    bodyClass: 'narrow',
    body: html`<main id="content" class="problem">
<h1>${title}</h1>
<p>${text}</p>
<div id="elsewhere"></div>
<p class="hint">Request ${requestId}</p>
</main>`,
  });
}
