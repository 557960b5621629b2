import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { useAction } from '../../data/action.ts';
import type { Types } from '../../data/client.ts';
import { type FirstChart, type Kept, keepCharts } from '../../data/first-charts.ts';
import { to } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { counted } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { Picture } from '../../ui/picture.tsx';
import { Empty, Issue } from '../../ui/states.tsx';

interface FirstChartsProps {
  table: Types.DatasetView;
  charts: readonly FirstChart[];
  /** For another file. */
  again(): void;
}

/** The charts of a file that was just brought in: the first one large, the others to choose. */
export function FirstCharts({ table, charts, again }: FirstChartsProps) {
  const { route } = useLocation();
  const [index, setIndex] = useState(0);
  const heading = useRef<HTMLHeadingElement>(null);
  const kept = useRef<Kept>({ cards: 0 });
  const keep = useAction(async () => {
    const id = await keepCharts(table.name, charts, kept.current);
    route(to(`/dashboards/${id}`));
  });
  // Screen readers continue here, where the file was dropped.
  useEffect(() => heading.current?.focus(), []);
  const chart = charts[index];
  return (
    <div class="first-charts">
      <header>
        <h2 ref={heading} tabIndex={-1}>
          {table.name}
        </h2>
        <p class="hint">
          {counted(table.rowCount, 'row')}, {counted(table.columns.length, 'column')}
        </p>
      </header>
      {chart ? (
        <figure>
          <figcaption>{chart.title}</figcaption>
          <Picture svg={chart.svg} label={chart.title} />
        </figure>
      ) : (
        <Empty icon="table" title="No chart suits these values">
          You can still look at its rows.
        </Empty>
      )}
      {charts.length > 1 && (
        <fieldset class="others" aria-label="Charts">
          {charts.map(({ title }, each) => (
            <Button key={title} isSmall aria-pressed={each === index} onClick={() => setIndex(each)}>
              {title}
            </Button>
          ))}
        </fieldset>
      )}
      <div class="actions">
        {chart && (
          <Button look="main" isBusy={keep.isRunning} onClick={() => void keep.run()}>
            Keep as a dashboard
          </Button>
        )}
        <Link to={`/datasets/${table.id}`} class="button">
          See the rows
        </Link>
        <Button look="plain" onClick={again}>
          Another file
        </Button>
      </div>
      <Issue problem={keep.problem} />
    </div>
  );
}
