import type { CardMenus } from './cards.ts';
import { el } from './dom.ts';
import { type DrillStep, nameOfRow } from './exploring.ts';
import { openRowMenu } from './row-menu.ts';
import { keyOf, rowWith, valuesOfRow } from './row-values.ts';

const GRAINS = ['day', 'week', 'month', 'quarter', 'year'];
/** The length of the periods of each card before the reader chooses another. */
const ownGrains = new Map<string, string>();

/** Where links of rows lead, which few cards have: loaded when a menu needs it. */
type Places = Pick<typeof import('./link-places.ts'), 'placesOf'>;

/** The menus of cards. `pageOf` is the address of another dashboard. */
export const cardMenus = (loadPlaces: () => Promise<Places>, pageOf?: (dashboardId: string) => string): CardMenus => ({
  /** Filters, details and links of a mark or row. */
  async openMenu({ config, data, steps }, { exploring, select, drill }, row, anchor, back) {
    const { id, isExplorable, links } = config;
    const values = valuesOfRow(data, row);
    if (!values) return;
    const name = nameOfRow(values);
    // The menu is complete without them.
    const loaded = links && (await loadPlaces().catch(() => undefined));
    const places = loaded ? loaded.placesOf(links, data, row, pageOf) : [];
    if (!isExplorable) return openRowMenu(name, places, anchor, back);
    const { selection } = exploring();
    const isChosen = selection?.cardId === id && rowWith(data, selection.values) === row;
    const into = (step: Omit<DrillStep, 'values'>) => () => drill(id, [...steps, { ...step, values }]);
    const selects =
      steps.length > 0
        ? []
        : isChosen
          ? [{ text: 'Clear the selection', run: () => select(undefined) }]
          : [{ text: `Filter other cards by ${name}`, run: () => select({ cardId: id, values }) }];
    const levels = (data.drillDown ?? []).map(({ column, to }) => {
      const dimension = data.columns.find((each) => each.name === column);
      return {
        text: `Show ${to}`,
        run: into({ to: 'nextLevel', ...(dimension && { dimension: keyOf(data.columns, dimension) }) }),
      };
    });
    const rows = { text: 'Show the rows', run: into({ to: 'rows' }) };
    openRowMenu(name, [...selects, ...levels, rows, ...places], anchor, back);
  },

  /** A choice of the length of periods, where the reader may choose. */
  showGrain(section, { config, data, steps, title }, { drill }) {
    const { hasGrains, id } = config;
    const head = section.querySelector('.card-head');
    const column = data.columns.find(({ role, grain }) => role === 'dimension' && grain && GRAINS.includes(grain));
    const known = head?.querySelector('.grain');
    const hasFocus = known && known === document.activeElement;
    known?.remove();
    if (!hasGrains || !head || !column?.grain) return;
    const { grain } = column;
    if (steps.length === 0) ownGrains.set(id, grain);
    const before = steps.at(-1)?.to === 'grain' ? steps.slice(0, -1) : steps;
    const choice = el('select', { class: 'grain', 'aria-label': `Periods of ${title}` });
    for (const each of GRAINS) choice.append(new Option(`by ${each}`, each, false, each === grain));
    choice.addEventListener('change', () => {
      const step: DrillStep = { to: 'grain', grain: choice.value, dimension: keyOf(data.columns, column), values: {} };
      const isOwn = before.length === 0 && choice.value === ownGrains.get(id);
      drill(id, isOwn ? [] : [...before, step]);
    });
    const heading = head.querySelector('h2, h3');
    if (heading) heading.after(choice);
    else head.prepend(choice);
    if (hasFocus) choice.focus();
  },
});
