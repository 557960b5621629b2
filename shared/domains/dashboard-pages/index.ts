/** The public API of this domain; everything else is internal. */
export { type DashboardView, dashboardPage, type PageParts } from './dashboard-page.ts';
export { type PageAssets, type PageFrame, pageDocument } from './page-document.ts';
export { pagePolicy } from './page-policy.ts';
export { tokensOf } from './theme-tokens.ts';
