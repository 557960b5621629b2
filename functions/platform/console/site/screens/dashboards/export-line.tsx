import { type Exporting, FILES } from '../../data/exports.ts';
import { Button } from '../../ui/button.tsx';
import { Issue } from '../../ui/states.tsx';

/** How far a file is, and why it was not written. */
export function ExportLine({ exporting: { current, stop } }: { exporting: Exporting }) {
  const now = current.value;
  if (!now) return null;
  const file = { csv: 'CSV file', ...FILES }[now.format];
  if (now.problem) {
    return (
      <div class="export-line">
        <Issue problem={now.problem} />
        <Button isSmall onClick={stop}>
          Dismiss
        </Button>
      </div>
    );
  }
  return (
    <div class="export-line" role="status">
      <progress max={100} value={now.percent} aria-label={`Writing the ${file}`} />
      <span>
        Writing the {file} …{now.percent !== undefined && ` ${Math.round(now.percent)}%`}
      </span>
      <Button isSmall onClick={stop}>
        Cancel
      </Button>
    </div>
  );
}
