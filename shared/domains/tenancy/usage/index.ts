/** The public API of this domain; everything else is internal. */
export { type Budgets, readBudgets, setBudgets } from './budgets.ts';
export { monthOf, usageKey } from './months.ts';
export { reportBudget } from './report-budget.ts';
export { assertProductUsable, readCap, readTerms, type UsageTerms } from './terms.ts';
