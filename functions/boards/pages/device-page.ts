import { PROGRAM_GRANTS } from '../../../shared/domains/identity/sessions/index.ts';
import type { Principal } from '../../../shared/platform/auth/principal.ts';
import { pageDocument } from '../../../shared/platform/pages/page-document.ts';
import { html } from '../../../shared/platform/text/html.ts';
import type { PageFiles } from './page-files.ts';
import type { ConnectQuery } from './schemas.ts';

const WARNING =
  'Approve only if you have started this sign-in yourself, just now, on this computer. Never copy the address of the page that follows, or anything on it, to a person or another page: it would give them access to your account.';

interface Viewer {
  nonce: string;
  principal: Principal;
}

/**
 * The page where a person approves the sign-in of a program. No address fills in the code: it has to be read
 * from the screen of the program, so that a link alone cannot lead to an approval.
 */
export const devicePage = (files: PageFiles, viewer: Viewer): string =>
  approvalPage(files, viewer, { config: {}, ask: 'Enter the code that your program shows.' });

/** The same for a program that has opened the page: what a link could lead to stays on the computer of the browser. */
export const connectPage = (files: PageFiles, { query, ...viewer }: Viewer & { query: ConnectQuery }): string =>
  approvalPage(files, viewer, {
    config: { request: query, grants: PROGRAM_GRANTS, warning: WARNING },
    ask: 'A program that says that it runs on this computer asks to be signed in.',
  });

const approvalPage = (
  files: PageFiles,
  { nonce, principal }: Viewer,
  { config, ask }: { config: object; ask: string },
): string =>
  pageDocument({
    title: 'Connect a program',
    assets: { ...files, script: files.device },
    nonce,
    // A person who signs in in another tab meanwhile has not read this page.
    config: { ...config, userId: principal.userId, workspaceId: principal.workspaceId },
    bodyClass: 'narrow',
    body: html`<main id="content" class="sign-in">
<img src="${files.icon}" alt="" width="40" height="40">
<h1>Connect a program</h1>
<p class="hint" id="hint" role="status">You are signed in as ${principal.email ?? principal.name ?? ''}. ${ask}</p>
<noscript><p>Turn on JavaScript to connect a program.</p></noscript>
<form id="step" novalidate hidden></form>
<p class="issue" id="issue" role="alert"></p>
</main>`,
  });
