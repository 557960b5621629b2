import { pageDocument } from '../../shared/domains/dashboard-pages/index.ts';
import { html } from '../../shared/platform/text/html.ts';
import type { PageFiles } from './page-files.ts';

const TEXTS: Record<number, [title: string, text: string]> = {
  400: [
    'This address is not valid',
    'A part of the address is missing or mistyped. Open the dashboard without its filters.',
  ],
  404: [
    'There is no such dashboard',
    'It may have been deleted or not be published, you may have no access to it, or it may belong to another workspace.',
  ],
};
const OTHER: [title: string, text: string] = [
  'The page cannot be shown',
  'Something went wrong on our side. Please try again in a moment.',
];

/** Why there is no page, in words for readers. What does not exist and what the reader may not see look the same. */
export function problemPage(
  files: PageFiles,
  nonce: string,
  { status, requestId }: { status: number; requestId: string },
) {
  const [title, text] = TEXTS[status] ?? OTHER;
  return pageDocument({
    title,
    assets: { ...files, script: files.dashboard },
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
