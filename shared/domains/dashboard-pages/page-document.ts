import { Html, html, jsonForPage } from '../../platform/text/html.ts';

/** Addresses of the files that pages load. */
export interface PageAssets {
  style: string;
  icon: string;
  /** Runs before the first paint, so that a dark page does not flash white. */
  theme: string;
  script: string;
}

export interface PageFrame {
  title: string;
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

export const pageDocument = ({ title, assets, nonce, rules, config, bodyClass, body }: PageFrame): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="${assets.icon}">
<link rel="stylesheet" href="${assets.style}">
${rules !== undefined && html`<style nonce="${nonce}">${Html.trusted(rules)}</style>`}
</head>
<body${bodyClass !== undefined && html` class="${bodyClass}"`}>
<script src="${assets.theme}"></script>
${body}
<script type="application/json" id="config">${jsonForPage(config)}</script>
<script type="module" src="${assets.script}"></script>
</body>
</html>
`.toString();
