import type { ChartLink } from '../../../shared/data/charts/chart-look.ts';
import type { ThemeTokens } from '../../../shared/data/charts/theme.ts';
import { ageOf } from '../../platform/browser/age.ts';
import type { Access, Image, Reading } from './access.ts';
import { ApiError } from './api-error.ts';
import { explorable, seriesIn, switchable } from './chart.ts';
import type { CardFilter } from './conditions.ts';
import { byId, el } from './dom.ts';
import { type DrillStep, type Exploring, nameOfRow, type Selection } from './exploring.ts';
import { pictureOf } from './picture.ts';
import { rowWith } from './row-values.ts';
import { type CardData, type Pick, type TableColumn, tableOf } from './table.ts';
import type { Zones } from './zones.ts';

export interface CardConfig {
  id: string;
  fill: 'chart' | 'table';
  columns?: TableColumn[];
  /** Whether its rows can be selected and drilled into. */
  isExplorable?: boolean;
  /** Whether the reader may choose the length of its periods. */
  hasGrains?: boolean;
  /** Where its marks and rows lead. */
  links?: readonly ChartLink[];
  /** Whether its rows have a time zone of their own. */
  hasOwnZone?: boolean;
  /** Whether it has the latest of its rows, if not all. */
  hasLatest?: boolean;
}

export interface Explore {
  select(selection: Selection | undefined): void;
  drill(cardId: string, steps: DrillStep[]): void;
}

/** A card as its menus need it. */
export interface ExploredCard {
  config: CardConfig;
  title: string;
  data: CardData;
  steps: readonly DrillStep[];
}

/** What the reader has chosen, and how to choose something else. */
export type Choices = Explore & { exploring(): Exploring };

/** What readers who may explore can do with a card. */
export interface CardMenus {
  openMenu(card: ExploredCard, choices: Choices, ...pick: Parameters<Pick>): void;
  showGrain(section: HTMLElement, card: ExploredCard, choices: Choices): void;
}

export interface CardContext {
  access: Access;
  tokens: ThemeTokens;
  filters(): CardFilter[];
  zones: Zones;
  /** What the reader has chosen by clicking; undefined where they may only look. */
  choices?: Choices | undefined;
  menus?: CardMenus | undefined;
  /** Aborted when the page shows other cards. */
  left?: AbortSignal | undefined;
}

const AT_ONCE = 6;
const MAX_REASONS = 3;
const AGE_EVERY_MS = 30_000;

/**
 * In pixels. Readers with windows of about the same size get the same stored pictures, which are scaled to the card.
 */
const SIZE_STEP = 8;
const inSteps = (pixels: number): number => Math.round(pixels / SIZE_STEP) * SIZE_STEP;

/** Whether the time zone decides what the rows show: times, and periods of times. */
const hasTimes = ({ columns }: { columns: CardData['columns'] }): boolean =>
  columns.some(({ type, grain }) => /^(datetime|timestamp)/.test(type) || grain !== undefined);

/** A card of the page. The script fills it, and refills it when filters, size or colors change. */
export class Card {
  readonly #config: CardConfig;
  readonly #context: CardContext;
  readonly #content: HTMLElement;
  readonly #section: HTMLElement;
  readonly #title: string;
  #data: CardData | undefined;
  #showsData = false;
  /** The names of its legend, and the places of those that are hidden. */
  #series = '';
  readonly #hidden = new Set<number>();
  /** Only the latest request may change the card. */
  #reading = 0;

  constructor(config: CardConfig, context: CardContext) {
    this.#config = config;
    this.#context = context;
    this.#section = byId(`card-${config.id}`)!;
    this.#content = this.#section.querySelector<HTMLElement>('[data-card]')!;
    this.#title = this.#section.getAttribute('aria-label') ?? 'Card';
    this.#button?.addEventListener('click', () => this.#toggleData());
  }

  get id(): string {
    return this.#config.id;
  }

  /** The names in the card that the glossary may explain. */
  get names(): string[] {
    const chosen = this.#config.columns?.map(({ title }) => title ?? '') ?? [];
    return this.#data ? [this.#title, ...this.#data.columns.map(({ name }) => name), ...chosen] : [];
  }

  showTerms(): void {
    this.#context.access.terms?.show(this.#section, this.names);
  }

  get #button(): HTMLButtonElement | null {
    return this.#section.querySelector('.show-data');
  }

  async read(more: { maxAgeSeconds?: number } = {}): Promise<void> {
    this.#reading += 1;
    const reading = this.#reading;
    this.#content.setAttribute('aria-busy', 'true');
    this.#showPath();
    try {
      const image = this.#drawsRows ? this.#image() : undefined;
      const asked = { ...this.#reads(), ...more, ...(image && { image }) };
      const { image: picture, ...data } = await this.#context.access.readCard(this.#config.id, asked);
      if (reading !== this.#reading) return;
      this.#data = data;
      if (hasTimes(data)) this.#context.zones.shown();
      if (!this.#isRows) this.#context.menus?.showGrain(this.#section, this.#explored, this.#context.choices!);
      await this.#show(reading, picture);
      this.showAge();
    } catch (error) {
      if (reading === this.#reading) this.#fail(error);
    } finally {
      if (reading === this.#reading) this.#content.removeAttribute('aria-busy');
    }
  }

  /** Draws the rows again: for another size, or other colors. */
  async redraw(): Promise<void> {
    if (!this.#data || !this.#drawsRows) return;
    this.#reading += 1;
    await this.#show(this.#reading).catch((error) => this.#fail(error));
  }

  showAge(): void {
    const line = this.#section.querySelector('.age');
    if (!line || !this.#data) return;
    const { asOf, truncated, ignoredFilters, warnings, notices = [], rowCount, timezone } = this.#data;
    const notes = [
      hasTimes(this.#data) && `Times in ${timezone}`,
      truncated &&
        `Only the ${this.#config.hasLatest && !this.#isRows ? 'latest' : 'first'} ${rowCount.toLocaleString('en')} rows`,
      ignoredFilters.length > 0 &&
        `${ignoredFilters.length} ${ignoredFilters.length === 1 ? 'filter does' : 'filters do'} not apply to this card`,
      ...warnings,
      ...notices.map(({ message }) => message),
    ].filter(Boolean);
    const time = el('time', { datetime: asOf, title: new Date(asOf).toLocaleString() }, `As of ${ageOf(asOf)}`);
    line.replaceChildren(time, ...notes.map((note) => ` · ${note}`));
  }

  get #isRows(): boolean {
    return this.#steps.at(-1)?.to === 'rows';
  }

  get #drawsRows(): boolean {
    return this.#config.fill === 'chart' && !this.#showsData && !this.#isRows;
  }

  #image(): Image {
    const { clientWidth, clientHeight } = this.#content;
    return {
      width: Math.min(4000, Math.max(80, inSteps(clientWidth))),
      height: Math.min(4000, Math.max(64, inSteps(clientHeight))),
      theme: { ...this.#context.tokens, dark: isDark() },
      ...(this.#hidden.size > 0 && { hiddenSeries: [...this.#hidden] }),
    };
  }

  #draw(): Promise<string> {
    return this.#context.access.drawCard(this.#config.id, { ...this.#reads(), ...this.#image() });
  }

  /** Draws the chart if there is no picture of these rows yet. */
  async #show(reading: number, picture?: string): Promise<void> {
    const data = this.#data!;
    const button = this.#button;
    if (button) button.hidden = false;
    if (data.rowCount === 0) return this.#content.replaceChildren(el('p', { class: 'nothing' }, 'No rows match.'));
    const steps = this.#steps;
    const { menus } = this.#context;
    const { isExplorable, links } = this.#config;
    const pick: Pick | undefined =
      menus && (isExplorable || links) && !this.#isRows
        ? (...picked) => menus.openMenu(this.#explored, this.#context.choices!, ...picked)
        : undefined;
    if (!this.#drawsRows) {
      const chosen = steps.length === 0 ? this.#config.columns : undefined;
      const onRows = () => this.showSelection();
      this.#content.replaceChildren(tableOf(data, { chosen, caption: this.#title, pick, onRows }));
      this.showTerms();
      return this.showSelection();
    }
    const svg = pictureOf(picture ?? (await this.#draw()));
    if (reading !== this.#reading) return;
    // Other rows may have other series, so that the places mean others.
    const isStale = this.#series !== seriesIn(svg) && this.#hidden.size > 0;
    this.#series = seriesIn(svg);
    if (isStale) {
      this.#hidden.clear();
      return this.#show(reading);
    }
    const frame = el('div', { class: 'picture' }, svg);
    this.#content.replaceChildren(frame);
    explorable(svg, frame, pick);
    switchable(svg, this.#hidden, () => this.redraw());
    this.showSelection();
  }

  get #steps(): DrillStep[] {
    const { isExplorable, hasGrains, id } = this.#config;
    return ((isExplorable || hasGrains) && this.#context.choices?.exploring().drill[id]) || [];
  }

  /** What the card reads: with the filters, the selection in another card, and its own steps. */
  #reads(): Reading {
    const steps = this.#steps;
    const selection = this.#context.choices?.exploring().selection;
    const timezone = this.#context.zones.wanted(this.#config);
    return {
      filters: this.#context.filters(),
      ...(timezone !== undefined && { timezone }),
      ...(selection && selection.cardId !== this.#config.id && { selection }),
      ...(steps.length > 0 && { drill: steps }),
    };
  }

  /** Marks the row that filters the other cards. */
  showSelection(): void {
    for (const each of this.#content.querySelectorAll('.chosen')) each.classList.remove('chosen');
    const selection = this.#context.choices?.exploring().selection;
    if (!this.#data || selection?.cardId !== this.#config.id) return;
    const row = rowWith(this.#data, selection.values);
    for (const each of this.#content.querySelectorAll(`[data-row="${row}"]`)) each.classList.add('chosen');
  }

  get #explored(): ExploredCard {
    return { title: this.#title, data: this.#data!, config: this.#config, steps: this.#steps };
  }

  /** The steps so far, each a way back. */
  #showPath(): void {
    this.#section.querySelector('.path')?.remove();
    const steps = this.#steps;
    if (steps.length === 0) return;
    const crumbs = steps.map((step) =>
      step.to === 'grain' ? `by ${step.grain}` : nameOfRow(step.values) + (step.to === 'rows' ? ': rows' : ''),
    );
    const list = ['All', ...crumbs].map((text, at) => {
      if (at === steps.length) return el('li', { 'aria-current': 'step' }, text);
      const button = el('button', { type: 'button', class: 'plain' }, text);
      button.addEventListener('click', () => this.#context.choices!.drill(this.#config.id, steps.slice(0, at)));
      return el('li', {}, button);
    });
    const path = el('nav', { class: 'path', 'aria-label': `Steps into ${this.#title}` }, el('ol', {}, ...list));
    this.#content.before(path);
  }

  #toggleData(): void {
    this.#showsData = !this.#showsData;
    this.#button?.setAttribute('aria-pressed', String(this.#showsData));
    this.#reading += 1;
    void this.#show(this.#reading).catch((error) => this.#fail(error));
  }

  #fail(error: unknown): void {
    if (this.#context.access.ends(error)) return;
    const retry = el('button', { type: 'button' }, 'Try again');
    retry.addEventListener('click', () => void this.read());
    const detail = error instanceof ApiError ? error.message : 'The server cannot be reached.';
    const reasons = error instanceof ApiError ? error.reasons.filter((reason) => !detail.includes(reason)) : [];
    this.#section.querySelector('.age')?.replaceChildren();
    this.#content.replaceChildren(
      el(
        'div',
        { class: 'failed', role: 'alert' },
        el('strong', {}, 'This card cannot be shown'),
        el('p', {}, detail),
        ...reasons.slice(0, MAX_REASONS).map((reason) => el('p', {}, reason)),
        retry,
      ),
    );
  }
}

/** Fills the cards in order, several at a time. A card that fails does not hold up the others. */
export function showCards(configs: readonly CardConfig[], context: CardContext) {
  const cards = configs.map((config) => new Card(config, context));
  const status = byId('status');
  const each = async (work: (card: Card) => Promise<void>, atOnce = AT_ONCE) => {
    const waiting = [...cards];
    const worker = async () => {
      for (let card = waiting.shift(); card; card = waiting.shift()) await work(card);
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
  };
  /** All cards, or those that the choice of the reader concerns. */
  const read = async (concerns: (cardId: string) => boolean = () => true) => {
    await each(async (card) => {
      if (concerns(card.id)) await card.read();
      else card.showSelection();
    }, context.access.atOnce);
    if (status && cards.length > 0) status.textContent = 'All cards are loaded.';
    void showTerms();
  };
  /** The cards are complete without them, so an error is not shown. */
  const showTerms = async () => {
    await context.access.terms?.read(cards.flatMap(({ names }) => names)).catch(() => {});
    for (const card of cards) card.showTerms();
  };
  const redraw = () => void each((card) => card.redraw());
  const refresh = () => each((card) => card.read({ maxAgeSeconds: 0 }), context.access.atOnce);
  /** Charts are drawn for paper, and for the screen again afterwards. */
  const print = async () => {
    const { classList } = document.body;
    classList.add('printing');
    await each((card) => card.redraw());
    window.print();
    classList.remove('printing');
    redraw();
  };
  const timer = setInterval(() => {
    for (const card of cards) card.showAge();
  }, AGE_EVERY_MS);
  const { left } = context;
  left?.addEventListener('abort', () => clearInterval(timer));
  onColours(redraw, left);
  onWidth(redraw, left);
  const options = left ? { signal: left } : {};
  addEventListener('fullscreenchange', redraw, options);
  addEventListener(
    'keydown',
    (event) => {
      const isPrint = event.key.toLowerCase() === 'p' && (event.ctrlKey || event.metaKey) && !event.altKey;
      if (!isPrint || !isDark() || window !== top) return;
      event.preventDefault();
      void print();
    },
    options,
  );
  return { read, refresh, print };
}

export const isDark = (): boolean => {
  const { classList } = document.body;
  if (classList.contains('printing')) return false;
  return classList.contains('dark-mode') || document.querySelector('.always-dark') !== null;
};

function onColours(run: () => void, left: AbortSignal | undefined): void {
  let shown = isDark();
  const observer = new MutationObserver(() => {
    if (isDark() === shown || document.body.classList.contains('printing')) return;
    shown = isDark();
    run();
  });
  observer.observe(document.body, { attributeFilter: ['class'] });
  left?.addEventListener('abort', () => observer.disconnect());
}

function onWidth(run: () => void, left: AbortSignal | undefined): void {
  let width = innerWidth;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const resized = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (Math.abs(innerWidth - width) < 24) return;
      width = innerWidth;
      run();
    }, 250);
  };
  addEventListener('resize', resized, { ...(left && { signal: left }) });
}
