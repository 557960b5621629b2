import { pageDocument } from '../../shared/domains/dashboard-pages/index.ts';
import { html } from '../../shared/platform/text/html.ts';
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
const OTHER: [title: string, text: string] = [
  'The page cannot be shown',
  'Something went wrong on our side. Please try again in a moment.',
];

/** Explains to readers why the page cannot be shown. A missing dashboard and one that the reader may not see look the same. */
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
