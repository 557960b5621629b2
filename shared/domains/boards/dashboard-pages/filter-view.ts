import { type Html, html } from '../../../platform/text/html.ts';
import type { FilterRecord } from '../dashboards/index.ts';

export type PageFilter = Pick<
  FilterRecord,
  'id' | 'filterType' | 'label' | 'fieldId' | 'defaultValue' | 'linkedCardIds'
>;

/** The bar of filters; the script makes the controls. */
export const filterBar = (filters: readonly PageFilter[]): Html | '' =>
  filters.length === 0 ? '' : html`<form class="filters" aria-label="Filters" hidden></form>`;

/** A filter as the script needs it. */
export const filterConfig = ({ id, filterType, label, fieldId, defaultValue, linkedCardIds }: PageFilter) => ({
  id,
  type: filterType,
  label: label || fieldId,
  fieldId,
  linkedCardIds,
  value: defaultValue === null ? null : parsed(defaultValue),
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
