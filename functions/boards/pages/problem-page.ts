import { pageDocument } from '../../../shared/platform/pages/page-document.ts';
import { html } from '../../../shared/platform/text/html.ts';
import type { PageFiles } from './page-files.ts';

type Text = [title: string, text: string];

const NOT_FOUND =
  'It may be deleted or unpublished, it may belong to another workspace, or you may not have access to it.';

/** By what the page would show, and by status. */
const TEXTS: Readonly<Record<PageKind, Readonly<Record<number, Text>>>> = {
  dashboard: {
    400: [
      'This address is not valid',
      'Part of the address is missing or mistyped. Open the dashboard without the filters in the address.',
    ],
    404: ['There is no such dashboard', NOT_FOUND],
  },
  story: {
    400: [
      'This address is not valid',
      'Part of the address is missing or mistyped. Open the story without what follows its id.',
    ],
    404: ['There is no such story', NOT_FOUND],
  },
  program: {
    400: [
      'This address is not valid',
      'Part of the address is missing or mistyped. Start the sign-in again in your program.',
    ],
    403: [
      'Open the address that your program shows',
      'The page of a sign-in opens from the program itself. A link on another site does not lead here, because its author could ask for access to your account.',
    ],
  },
  link: {
    400: [
      'This address is not valid',
      'Part of the address is missing or mistyped. Ask the sender for the link again.',
    ],
    404: [
      'This link does not work',
      'It may be incomplete, it may have expired, or its owner may have removed it. Ask the sender for another one.',
    ],
  },
};
const OTHER: Text = ['The page cannot be shown', 'Something went wrong on our side. Please try again in a moment.'];

export type PageKind = 'dashboard' | 'story' | 'program' | 'link';

/**
 * Explains to readers why the page cannot be shown. A missing object and one that the reader may not see look the same,
 * as do links that never existed and those that have ended.
 */
export function problemPage(
  files: PageFiles,
  nonce: string,
  { status, requestId, kind }: { status: number; requestId: string; kind: PageKind },
) {
  const [title, text] = TEXTS[kind][status] ?? OTHER;
  const { elsewhere, ...assets } = files;
  return pageDocument({
    title,
    assets: { ...assets, ...(kind !== 'link' && { script: elsewhere }) },
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
