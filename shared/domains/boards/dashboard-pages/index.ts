/** The public API of this domain; everything else is internal. */

export { tokensOf } from '../themes/index.ts';
export { cardView, type PageCard } from './card-view.ts';
export { type DashboardView, dashboardPage, type PageParts } from './dashboard-page.ts';
export { siteHeader } from './site-header.ts';
export { themeRules } from './theme-rules.ts';
