import { useEffect, useRef, useState } from 'preact/hooks';
import { hasRole, useMe } from '../../data/me.ts';
import { sampleFile } from '../../data/sample.ts';
import { useIsDark } from '../../shell/theme.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { Issue } from '../../ui/states.tsx';
import { type Stage, useBringIn } from './bring-in.ts';
import { FirstCharts } from './first-charts.tsx';

const ACCEPTED = '.csv,.tsv,.txt,.json,.ndjson,.jsonl,.geojson,.parquet,.parq,.xlsx,.gz';

/** Takes a file anywhere on the page, and shows its first chart. */
export function Drop() {
  const { stage, bringIn, stop } = useBringIn(useIsDark());
  const isAdmin = hasRole(useMe().data, 'admin');
  const input = useRef<HTMLInputElement>(null);
  const isOver = useFileDrop((file) => void bringIn(file));
  return (
    <section class={isOver ? 'section drop over' : 'section drop'} aria-label="Your file">
      {stage.step === 'done' ? (
        <FirstCharts key={stage.table.id} table={stage.table} charts={stage.charts} again={stop} />
      ) : (
        <div class="drop-place">
          <Icon name="upload" size={26} />
          <h2>Drop a file to see it as a chart</h2>
          <p class="hint">CSV, Excel, JSON or Parquet, of any size up to 100 GB.</p>
          <Underway stage={stage} />
          <div class="actions">
            {stage.step === 'none' || stage.step === 'failed' ? (
              <>
                <Button look="main" onClick={() => input.current?.click()}>
                  Choose a file
                </Button>
                <Button onClick={() => void bringIn(sampleFile())}>Try it with sample data</Button>
                {isAdmin && (
                  <Link to="/sources/new" class="button">
                    Connect a database
                  </Link>
                )}
              </>
            ) : (
              <Button onClick={stop}>Stop</Button>
            )}
            {stage.step === 'failed' && (
              <Button icon="rotate-ccw" onClick={() => void bringIn(stage.file, stage.progress)}>
                Try again
              </Button>
            )}
          </div>
          <input
            ref={input}
            type="file"
            hidden
            accept={ACCEPTED}
            aria-label="File"
            onChange={({ currentTarget }) => {
              const file = currentTarget.files?.[0];
              currentTarget.value = '';
              if (file) void bringIn(file);
            }}
          />
        </div>
      )}
    </section>
  );
}

const STEPS = { reading: 'Reading the file …', drawing: 'Drawing the first chart …' } as const;

function Underway({ stage }: { stage: Stage }) {
  if (stage.step === 'none' || stage.step === 'done') return null;
  if (stage.step === 'failed') {
    const { sentence, ...problem } = stage.problem;
    return <Issue problem={{ ...problem, sentence: `${stage.file.name} could not be shown. ${sentence}` }} />;
  }
  const isSending = stage.step === 'sending';
  const part = isSending ? stage.part : undefined;
  return (
    <div class="underway" role="status">
      <p>
        {stage.file.name}:{' '}
        {isSending ? `Uploading${part === undefined ? '' : ` ${Math.floor(part * 100)}%`} …` : STEPS[stage.step]}
      </p>
      <progress aria-label={stage.file.name} {...(part !== undefined && { value: part })} />
    </div>
  );
}

/** The first file that is dropped anywhere; whether one is above the page. */
function useFileDrop(take: (file: File) => void): boolean {
  const [isOver, setOver] = useState(false);
  const last = useRef(take);
  last.current = take;
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = ({ relatedTarget }: DragEvent) => relatedTarget === null && setOver(false);
    const drop = (event: DragEvent) => {
      const file = event.dataTransfer?.files[0];
      setOver(false);
      if (!file) return;
      event.preventDefault();
      last.current(file);
    };
    addEventListener('dragover', over);
    addEventListener('dragleave', leave);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', drop);
    };
  }, []);
  return isOver;
}
