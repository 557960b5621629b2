/** The public API of this domain; everything else is internal. */
export { dashboardPage, type DashboardView } from './dashboard-page.ts';
export { pageDocument, type PageAssets, type PageFrame } from './page-document.ts';
export { pagePolicy } from './page-policy.ts';
export { tokensOf } from './theme-tokens.ts';
