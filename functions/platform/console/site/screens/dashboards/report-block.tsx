import type { fillOf } from '../../../../../../shared/data/charts/board-cards.ts';
import { type Block, isChart } from '../../data/reports.ts';
import { FixedContent } from './card-frame.tsx';
import { MarkdownText } from './markdown-text.tsx';

const ROW_PX = 48;
const USUAL_ROWS = 8;

/** The frame of a block with its text; a script fills in its rows. */
export function ReportBlock({ block, fill }: { block: Block; fill: ReturnType<typeof fillOf> }) {
  if (block.type === 'divider' || block.type === 'page_break') return <hr class={block.type} />;
  if (block.type === 'heading') return <h2 class="report-heading">{block.text}</h2>;
  if (block.type === 'text') return <MarkdownText text={block.text} level={3} />;
  if (!isChart(block)) {
    return (
      <FixedContent
        card={{ cardType: 'image', title: block.title ?? '', textContent: null, imageUrl: block.imageUrl, value: null }}
      />
    );
  }
  const { id, title = '', description, height = USUAL_ROWS, type } = block;
  return (
    <article
      class={`card ${type}`}
      id={`card-${id}`}
      aria-label={title || 'Untitled block'}
      style={{ '--h': String(height), height: `${height * ROW_PX - 16}px` }}
    >
      <div class="card-head">
        {title && <h3>{title}</h3>}
        {fill === 'chart' && (
          <button type="button" class="show-data" aria-pressed="false" hidden>
            Data
          </button>
        )}
      </div>
      {description && <p class="description">{description}</p>}
      <div class="content" data-card={id} aria-busy="true">
        <div class="placeholder" aria-hidden="true" />
      </div>
      <p class="age" />
    </article>
  );
}
