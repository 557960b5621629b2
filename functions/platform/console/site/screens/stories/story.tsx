import { useRef, useState } from 'preact/hooks';
import { useAction } from '../../data/action.ts';
import { api } from '../../data/client.ts';
import { useNames } from '../../data/members.ts';
import { problemOf } from '../../data/problem.ts';
import { refreshQueries, useQuery } from '../../data/query.ts';
import type { ScreenProps } from '../../shell/screen.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { Failed, Issue, Loading, NotAllowed } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { Ago } from '../../ui/time.tsx';
import { Actions } from './actions.tsx';
import { Discussion } from './discussion.tsx';
import { Head } from './head.tsx';
import { Review } from './review.tsx';
import { Section } from './section.tsx';
import { mayWrite, pageOf } from './story-words.ts';
import { type Held, usePresence } from './use-presence.ts';

/** The draft of a story, which several people write at once, each in a section of their own. */
export default function StoryScreen({ params: { id = '' } }: ScreenProps) {
  const { data: story, error, refresh } = useQuery(['stories', id], () => api.stories.get(id, { view: 'draft' }));
  const held = useRef<Held>({ sectionId: undefined, lockId: undefined });
  const [isDiscussing, setDiscussing] = useState(false);
  const presence = usePresence(id, { held: held.current, enabled: story !== undefined && mayWrite(story.permission) });
  const names = useNames();
  const nameOf = (userId: string): string => names?.get(userId) ?? 'A colleague';
  const add = useAction(async () => {
    await api.stories.addSection(id, {});
    await refreshQueries(['stories', id]);
  });
  if (!story) {
    return error ? <Failed isPage problem={problemOf(error)} retry={refresh} /> : <Loading isPage rows={8} />;
  }
  if (!mayWrite(story.permission)) {
    return (
      <NotAllowed isPage title={story.title}>
        You can read this story, and its editors can let you write. <a href={pageOf(id)}>Read it</a>
      </NotAllowed>
    );
  }
  return (
    <Page
      title={story.title}
      mark={
        story.hasUnpublishedChanges ? (
          <Status kind="skipped" label="draft" />
        ) : (
          <Status kind="succeeded" label="published" />
        )
      }
      actions={<Actions story={story} nameOf={nameOf} discuss={() => setDiscussing(!isDiscussing)} />}
      lead={
        <>
          {story.publishedAt !== null && (
            <>
              Version {story.publishedVersion} was published <Ago at={story.publishedAt} />.{' '}
            </>
          )}
          {presence.viewers.length > 0 && `Here now: ${presence.viewers.map(({ name }) => name).join(', ')}.`}
        </>
      }
    >
      <Head key={story.id} story={story} />
      <Review story={story} nameOf={nameOf} />
      <div class={isDiscussing ? 'story-parts discussed' : 'story-parts'}>
        <div class="story-sections">
          {story.sections.map((section) => (
            <Section
              key={section.id}
              story={story}
              section={{ ...section, lock: presence.lockOf(section) }}
              nameOf={nameOf}
              isLost={presence.lost === section.id}
              onLock={(sectionId, lockId) => {
                if (lockId !== undefined) held.current = { sectionId, lockId };
                else if (held.current.sectionId === sectionId)
                  held.current = { sectionId: undefined, lockId: undefined };
              }}
            />
          ))}
          {story.permission !== 'viewer' && (
            <div class="actions">
              <Button icon="plus" isBusy={add.isRunning} onClick={() => void add.run()}>
                Add a section
              </Button>
            </div>
          )}
          <Issue problem={add.problem} />
        </div>
        {isDiscussing && <Discussion story={story} />}
      </div>
    </Page>
  );
}
