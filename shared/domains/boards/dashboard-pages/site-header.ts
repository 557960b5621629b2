import { type Html, html } from '../../../platform/text/html.ts';

/**
 * The top of a page: the signed-in person, undefined for the readers of a link, their search, and the choice between
 * light and dark.
 */
export const siteHeader = (reader: string | undefined): Html => html`<header class="site">
<span class="reader">${reader}</span>
${reader !== undefined && html`<button type="button" id="search" hidden aria-haspopup="dialog">Search<kbd aria-hidden="true">/</kbd></button>`}
<button type="button" class="theme-toggle" aria-label="Switch between light and dark">${SUN_AND_MOON}</button>
${reader !== undefined && html`<button type="button" id="sign-out" hidden>Sign out</button>`}
</header>`;

const SUN_AND_MOON = html`<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><circle cx="8" cy="8" r="6"/><path class="filled" d="M8 2a6 6 0 0 1 0 12z"/></svg>`;
