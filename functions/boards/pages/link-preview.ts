import { PREVIEW } from '../../../shared/data/documents/preview-layout.ts';
import type { LinkPreview } from '../../../shared/domains/sharing/shares/index.ts';
import { type Html, html } from '../../../shared/platform/text/html.ts';

export interface Previewed {
  preview: LinkPreview;
  name: string;
  description: string;
  /** The address of the picture. */
  picture: string;
  /** Such as `dashboard`. */
  contentType: string;
}

/**
 * What other applications show of a link that is pasted into them. Links with a password have a page without any of it.
 */
export function linkPreview({ preview, name, description, picture, contentType }: Previewed): Html {
  const isNamed = preview !== 'none';
  const hasPicture = preview === 'picture';
  // Without a title of their own, applications would take that of the page.
  return html`<meta property="og:type" content="website">
<meta property="og:title" content="${isNamed ? name : `Shared ${contentType}`}">
<meta name="twitter:card" content="${hasPicture ? 'summary_large_image' : 'summary'}">
${
  isNamed &&
  description &&
  html`<meta property="og:description" content="${description}">
<meta name="description" content="${description}">`
}
${
  hasPicture &&
  html`<meta property="og:image" content="${picture}">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="${PREVIEW.width}">
<meta property="og:image:height" content="${PREVIEW.height}">
<meta property="og:image:alt" content="The beginning of ${name}">`
}`;
}
