import { type Html, html } from '../../shared/platform/text/html.ts';

/**
 * What other applications show of a link that is pasted into them: its name and description. Only links that open without a password
 * have a preview, and none has a picture, which would show rows before the link is opened.
 */
export const linkPreview = ({ name, description }: { name: string; description: string }): Html =>
  html`<meta property="og:type" content="website">
<meta property="og:title" content="${name}">
<meta name="twitter:card" content="summary">
${
  description &&
  html`<meta property="og:description" content="${description}">
<meta name="description" content="${description}">`
}`;
