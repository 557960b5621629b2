import { useAction } from '../../data/action.ts';
import { api } from '../../data/client.ts';
import { problemOf } from '../../data/problem.ts';
import { refreshQueries, useQuery } from '../../data/query.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { Ago } from '../../ui/time.tsx';
import type { SavedQuery } from './saved.ts';

const SHOWN = 50;

interface VersionsProps {
  id: string;
  name: string;
  /** After a version was restored. */
  restored(query: SavedQuery): void;
  close(): void;
}

/** The versions of a saved query, newest first. Restoring adds a version. */
export function Versions({ id, name, restored, close }: VersionsProps) {
  const { data, error, refresh } = useQuery(['saved-queries', id, 'versions'], () =>
    api.savedQueries.listVersions(id, { limit: SHOWN }),
  );
  const restore = useAction(async (version: number) => {
    const query = await api.savedQueries.restoreVersion(id, version);
    await refreshQueries(['saved-queries']);
    restored(query);
    close();
  });
  return (
    <Dialog title={`Versions of ${name}`} close={close} problem={restore.problem}>
      {!data && (error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={4} />)}
      <ul class="used" aria-label="Versions">
        {data?.items.map(({ version, sql, createdAt }, index) => (
          <li key={version} class="sql-version">
            <p>
              Version {version} · <Ago at={createdAt} />
              {index === 0 ? (
                ' · current'
              ) : (
                <Button isSmall isBusy={restore.isRunning} onClick={() => void restore.run(version)}>
                  Restore version {version}
                </Button>
              )}
            </p>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text scrolls. */}
            <pre tabIndex={0}>{sql}</pre>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
