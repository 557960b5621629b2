import { useAction } from '../../data/action.ts';
import { api, type Types } from '../../data/client.ts';
import { useList } from '../../data/list.ts';
import { problemOf } from '../../data/problem.ts';
import { refreshQueries } from '../../data/query.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { counted } from '../../ui/format.ts';
import { Failed, Issue, Loading } from '../../ui/states.tsx';
import { Ago } from '../../ui/time.tsx';

interface VersionsProps {
  story: Types.Story;
  nameOf(userId: string): string;
  close(): void;
}

/** What was published before; an earlier version can become the draft again. */
export function Versions({ story, nameOf, close }: VersionsProps) {
  const list = useList<Types.StoryVersion>(['stories', story.id, 'versions'], (place) =>
    api.stories.listVersions(story.id, place),
  );
  const restore = useAction(async (version: number) => {
    await api.stories.restoreVersion(story.id, version);
    await refreshQueries(['stories']);
    close();
  });
  const { items, error } = list;
  return (
    <Dialog title="Versions" close={close}>
      {!items && (error ? <Failed problem={problemOf(error)} retry={list.refresh} /> : <Loading rows={3} />)}
      {items?.length === 0 && <p class="hint">The story has not been published yet.</p>}
      <ul class="story-rows">
        {items?.map(({ version, publishedAt, publishedBy, sectionCount, restoredFrom }) => (
          <li key={version}>
            <div>
              <strong>Version {version}</strong>
              <p class="hint">
                {nameOf(publishedBy)} · <Ago at={publishedAt} /> · {counted(sectionCount, 'section')}
                {restoredFrom !== null && ` · again version ${restoredFrom}`}
              </p>
            </div>
            {story.permission === 'editor' && version !== story.publishedVersion && (
              <Button isSmall isBusy={restore.isRunning} onClick={() => void restore.run(version)}>
                Restore
              </Button>
            )}
          </li>
        ))}
      </ul>
      {list.hasMore && items && (
        <Button isSmall onClick={() => list.need(items.length, items.length + 1)}>
          Earlier versions
        </Button>
      )}
      <p class="hint">A restored version becomes the draft, and is published at once.</p>
      <Issue problem={restore.problem} />
    </Dialog>
  );
}
