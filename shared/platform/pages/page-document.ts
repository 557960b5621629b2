import { Html, html, jsonForPage } from '../text/html.ts';

/** Addresses of the files that pages load. */
export interface PageAssets {
  style: string;
  icon: string;
  /**
   * Runs before the first paint, so that a dark page does not flash white. Embedded pages follow the page around them
   * instead.
   */
  theme?: string;
  /** Pages that only explain something have none. */
  script?: string;
}

export interface PageFrame {
  title: string;
  /** Further elements of the head. */
  head?: Html;
  assets: PageAssets;
  /** What admits the style element; see `pagePolicy`. */
  nonce: string;
  /** Rules of this page alone, made of checked values. */
  rules?: string;
  /** What the script of the page needs to know. */
  config: unknown;
  bodyClass?: string;
  body: Html;
}

export const pageDocument = ({ title, head, assets, nonce, rules, config, bodyClass, body }: PageFrame): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
${head}
<link rel="icon" href="${assets.icon}">
<link rel="stylesheet" href="${assets.style}">
${rules !== undefined && html`<style nonce="${nonce}">${Html.trusted(rules)}</style>`}
</head>
<body${bodyClass && html` class="${bodyClass}"`}>
${assets.theme !== undefined && html`<script src="${assets.theme}"></script>`}
${body}
<script type="application/json" id="config">${jsonForPage(config)}</script>
${assets.script !== undefined && html`<script type="module" src="${assets.script}"></script>`}
</body>
</html>
`.toString();
