import { type FilledCard, fillOf } from '../../../data/charts/board-cards.ts';
import { Html, html } from '../../../platform/text/html.ts';
import type { ChartSpec } from '../charts/index.ts';
import type { CardRecord } from '../dashboards/index.ts';
import { renderMarkdown } from './markdown.ts';

/** What a page shows of a card; its query stays on the server. */
export interface PageCard
  extends FilledCard,
    Pick<
      CardRecord,
      'cardType' | 'title' | 'description' | 'position' | 'pageId' | 'textContent' | 'imageUrl' | 'value'
    > {
  chartSpec: Pick<ChartSpec, 'mark' | 'layer'> | null;
}

/** The frame of a card, with its text; its title has the heading level. */
export function cardView(card: PageCard, level = 2): Html {
  const { id, cardType, title, description } = card;
  if (cardType === 'divider') return html`<hr class="card divider" id="card-${id}">`;
  const fill = fillOf(card);
  const name = title || (fill ? 'Untitled card' : '');
  return html`<article class="card ${cardType}" id="card-${id}"${name ? html` aria-label="${name}"` : ''}>
${title || fill ? heading(title, fill, level) : ''}
${description && html`<p class="description">${description}</p>`}
${fill ? placeholder(id) : html`<div class="content">${contentOf(card, level)}</div>`}
</article>
`;
}

function heading(title: string, fill: ReturnType<typeof fillOf>, level: number): Html {
  const tag = Html.trusted(`h${level}`);
  return html`<div class="card-head">${title && html`<${tag}>${title}</${tag}>`}${fill === 'chart' && html`<button type="button" class="show-data" aria-pressed="false" hidden>Data</button>`}</div>`;
}

const placeholder = (id: string): Html => html`<div class="content" data-card="${id}" aria-busy="true">
<div class="placeholder" aria-hidden="true"></div>
<noscript>Charts and tables need JavaScript.</noscript>
</div>
<p class="age"></p>`;

function contentOf({ cardType, title, textContent, imageUrl, value }: PageCard, level: number): Html | string {
  if (textContent !== null)
    return html`<div class="text">${renderMarkdown(textContent, title ? level + 1 : level)}</div>`;
  if (imageUrl !== null) return imageLink(imageUrl);
  if (value !== null) return html`<p class="value">${value}</p>`;
  // A heading.
  if (cardType === 'text' && title) return '';
  return html`<p class="nothing">This card is empty.</p>`;
}

/** The page loads nothing from other hosts, so that they do not learn who reads it. */
function imageLink(address: string): Html {
  const host = URL.parse(address)?.host;
  if (!host) return html`<p class="nothing">The address of the image is not valid.</p>`;
  return html`<p class="nothing">An image at <a href="${address}" target="_blank" rel="noopener noreferrer">${host}</a></p>`;
}
