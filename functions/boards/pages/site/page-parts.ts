import { el } from '../../browser/dom.ts';
import { htmlPolicy } from './trusted-html.ts';

/** What distinguishes the page of one dashboard from that of another, as the server renders it. */
export interface PageParts {
  title: string;
  rules: string;
  bodyClass: string;
  body: string;
  config: unknown;
}

const policy = htmlPolicy('page');
const sheet = new CSSStyleSheet();

/** The page that the server has rendered. */
export const pageOf = (html: string): Document => new DOMParser().parseFromString(policy.createHTML(html), 'text/html');

/** Replaces the page without navigating, so that the script keeps what it has in memory. */
export function showParts({ title, rules, bodyClass, body }: PageParts): void {
  const parsed = pageOf(body);
  sheet.replaceSync(rules);
  document.adoptedStyleSheets = [sheet];
  document.title = title;
  document.body.classList.remove('narrow');
  document.body.classList.add(...bodyClass.split(' ').filter(Boolean));
  document.body.replaceChildren(...parsed.body.childNodes);
  const heading = document.querySelector('h1');
  heading?.setAttribute('tabindex', '-1');
  heading?.focus();
}

/** Shows why the page has ended, in place of its cards. `hideEnd` undoes it. */
export function showEnd(title: string, text: string): void {
  if (document.body.classList.contains('ended')) return;
  document.body.classList.add('ended');
  document
    .querySelector('main')
    ?.append(el('div', { class: 'end', role: 'alert' }, el('h2', {}, title), el('p', {}, text)));
}

export function hideEnd(): void {
  document.body.classList.remove('ended');
  document.querySelector('.end')?.remove();
}
