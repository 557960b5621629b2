import { pageDocument } from '../../../shared/platform/pages/page-document.ts';
import { html } from '../../../shared/platform/text/html.ts';
import type { PageFiles } from './page-files.ts';

/** The sign-in page. Its script shows one step at a time. */
export const signInPage = (files: PageFiles, nonce: string): string =>
  pageDocument({
    title: 'Sign in',
    assets: { ...files, script: files['sign-in'] },
    nonce,
    config: {},
    bodyClass: 'narrow',
    body: html`<main id="content" class="sign-in">
<img src="${files.icon}" alt="" width="40" height="40">
<h1>Sign in</h1>
<p class="hint" id="hint" role="status">One moment …</p>
<noscript><p>Signing in needs JavaScript.</p></noscript>
<form id="step" novalidate hidden></form>
<p class="issue" id="issue" role="alert"></p>
</main>`,
  });
