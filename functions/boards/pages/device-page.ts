import type { Principal } from '../../../shared/platform/auth/principal.ts';
import { pageDocument } from '../../../shared/platform/pages/page-document.ts';
import { html } from '../../../shared/platform/text/html.ts';
import type { PageFiles } from './page-files.ts';

/**
 * The page where a person approves the sign-in of a program. No address fills in the code: it has to be read
 * from the screen of the program, so that a link alone cannot lead to an approval.
 */
export const devicePage = (files: PageFiles, { nonce, principal }: { nonce: string; principal: Principal }): string =>
  pageDocument({
    title: 'Connect a program',
    assets: { ...files, script: files.device },
    nonce,
    config: {},
    bodyClass: 'narrow',
    body: html`<main id="content" class="sign-in">
<img src="${files.icon}" alt="" width="40" height="40">
<h1>Connect a program</h1>
<p class="hint" id="hint" role="status">You are signed in as ${principal.email ?? principal.name ?? ''}. Enter the code that your program shows.</p>
<noscript><p>Turn on JavaScript to connect a program.</p></noscript>
<form id="step" novalidate hidden></form>
<p class="issue" id="issue" role="alert"></p>
</main>`,
  });
