import { pageDocument } from '../../../shared/platform/pages/page-document.ts';
import { html } from '../../../shared/platform/text/html.ts';
import type { PageFiles } from './page-files.ts';

/** The page of a link with a password. It shows nothing of the dashboard, not even its name. */
export const lockedPage = (files: PageFiles, { nonce, token }: { nonce: string; token: string }): string =>
  pageDocument({
    title: 'Protected dashboard',
    assets: { ...files, script: files.share },
    nonce,
    config: { token },
    bodyClass: 'narrow',
    body: html`<main id="content" class="sign-in">
<img src="${files.icon}" alt="" width="40" height="40">
<h1>Protected dashboard</h1>
<p class="hint">Enter the password that came with the link.</p>
<noscript><p>The dashboard needs JavaScript.</p></noscript>
<form id="unlock" novalidate hidden>
<label>Password<input type="password" name="password" autocomplete="off" required maxlength="256"></label>
<button type="submit" class="main">Open</button>
</form>
<p class="issue" id="issue" role="alert"></p>
</main>`,
  });
