import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** How a person drives a flow. */
export type Hand = 'mouse' | 'keyboard';
export const HANDS: readonly Hand[] = ['mouse', 'keyboard'];

/** How often Tab is pressed until something counts as out of reach. */
const MAX_TABS = 120;

/**
 * Drives a page as a person does, and counts: a click, an Enter that commits and a typed field are one each. With the
 * keyboard alone, everything has to be reachable by Tab.
 */
export class Clicks {
  count = 0;
  readonly #page: Page;
  readonly #hand: Hand;

  constructor(page: Page, hand: Hand) {
    this.#page = page;
    this.#hand = hand;
  }

  /** Presses a button, opens a link, or chooses something. */
  async press(target: Locator): Promise<void> {
    this.count += 1;
    if (this.#hand === 'mouse') return target.click();
    await target.waitFor();
    if (await target.evaluate((element) => element.matches('[type=radio]'))) return this.#choose(target);
    if (await target.evaluate((element) => element.matches('[role^=menuitem]'))) await this.#reach(target, 'ArrowDown');
    else await this.#reach(target);
    const isCheck = await target.evaluate((element) => element.matches('[type=checkbox]'));
    await this.#page.keyboard.press(isCheck ? 'Space' : 'Enter');
  }

  /** Types into a field. */
  async type(target: Locator, text: string): Promise<void> {
    this.count += 1;
    if (this.#hand === 'mouse') await target.click();
    else await this.#reach(target);
    await this.#page.keyboard.press('ControlOrMeta+A');
    await this.#page.keyboard.insertText(text);
  }

  /** A key that commits, such as `Control+Enter`. */
  async key(key: string): Promise<void> {
    this.count += 1;
    await this.#page.keyboard.press(key);
  }

  expectAtMost(budget: number): void {
    expect(this.count, `clicks by ${this.#hand}`).toBeLessThanOrEqual(budget);
  }

  /** Radio buttons of a group are one stop of the Tab key: arrows choose among them. */
  async #choose(target: Locator): Promise<void> {
    const group = await target.getAttribute('name');
    await this.#reach(this.#page.locator(`[type=radio][name="${group}"]:checked`));
    for (let steps = 0; !(await target.isChecked()); steps += 1) {
      expect(steps, `${target} is reached by arrows`).toBeLessThan(MAX_TABS);
      await this.#page.keyboard.press('ArrowDown');
    }
  }

  /** Arrows move in an open menu, which Tab closes. */
  async #reach(target: Locator, key: 'Tab' | 'ArrowDown' = 'Tab'): Promise<void> {
    await target.waitFor();
    const isReached = () => target.evaluate((element) => element === element.ownerDocument.activeElement);
    for (let presses = 0; !(await isReached()); presses += 1) {
      expect(presses, `${target} is reached by ${key}`).toBeLessThan(MAX_TABS);
      await this.#page.keyboard.press(key);
    }
  }
}
