type Child = Node | string;

/** Creates an element with attributes and children. Strings become text nodes, never markup. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | boolean | undefined> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children);
  return element;
}

export const byId = <T extends HTMLElement>(id: string): T | null => document.getElementById(id) as T | null;

export const configOf = <T>(): T => JSON.parse(byId('config')?.textContent ?? 'null') as T;

let at = 0;
export const newName = (prefix: string): string => {
  at += 1;
  return `${prefix}-${at}`;
};
