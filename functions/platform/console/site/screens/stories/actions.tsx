import { useSignal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { useAction } from '../../data/action.ts';
import { api, type Types } from '../../data/client.ts';
import { hasRole, useMe } from '../../data/me.ts';
import { refreshQueries } from '../../data/query.ts';
import { DeleteDialog } from '../../shell/delete-record.tsx';
import { to } from '../../ui/address.ts';
import { bound } from '../../ui/bound.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import { AskReview } from './ask-review.tsx';
import { pageOf } from './story-words.ts';
import { Versions } from './versions.tsx';

interface ActionsProps {
  story: Types.Story;
  nameOf(userId: string): string;
  /** Opens and closes the comments. */
  discuss(): void;
}

type Layer = 'publish' | 'review' | 'versions' | 'delete';

export function Actions({ story, nameOf, discuss }: ActionsProps) {
  const { id, permission, archivedAt, review } = story;
  const { route } = useLocation();
  const [open, setOpen] = useState<Layer>();
  const close = () => setOpen(undefined);
  const isEditor = permission === 'editor';
  const mayDelete = hasRole(useMe().data, 'editor');
  const archive = useAction(async () => {
    await api.stories.archive(id, { archived: archivedAt === null });
    await refreshQueries(['stories']);
  });
  return (
    <>
      <Button icon="list" onClick={discuss}>
        Comments
      </Button>
      <a class="button" href={pageOf(id, { isDraft: true })}>
        Read the draft
      </a>
      <Menu
        label="More"
        isRight
        class="icon-only"
        choices={[
          [
            ...(review === null ? [{ label: 'Ask for a review', run: () => setOpen('review') }] : []),
            { label: 'Versions', run: () => setOpen('versions') },
          ],
          isEditor
            ? [{ label: archivedAt === null ? 'Archive' : 'Take out of the archive', run: () => void archive.run() }]
            : [],
          mayDelete
            ? [{ label: 'Delete', icon: 'trash-2' as const, isDanger: true, run: () => setOpen('delete') }]
            : [],
        ]}
      >
        <Icon name="ellipsis" />
      </Menu>
      {isEditor && (
        <Button look="main" disabled={!story.hasUnpublishedChanges} onClick={() => setOpen('publish')}>
          Publish
        </Button>
      )}
      {open === 'publish' && <Publish story={story} close={close} />}
      {open === 'review' && <AskReview story={story} close={close} />}
      {open === 'versions' && <Versions story={story} nameOf={nameOf} close={close} />}
      {open === 'delete' && (
        <DeleteDialog
          what={`“${story.title}”`}
          remove={async () => {
            await api.stories.delete(id, { ifMatch: story.revision });
            void refreshQueries(['stories', 'list']);
            route(to('/stories'));
          }}
          close={close}
        >
          Its links, schedules and versions are deleted too. It can be restored through the API for 30 days.
        </DeleteDialog>
      )}
    </>
  );
}

/** Publishes the draft. What needs a second look is said afterwards; a missing review is said before. */
function Publish({ story, close }: { story: Types.Story; close: () => void }) {
  const isAdmin = hasRole(useMe().data, 'admin');
  const reason = useSignal('');
  const [published, setPublished] = useState<Types.PublishedStory>();
  const publish = useAction(async () => {
    const text = reason.peek().trim();
    setPublished(await api.stories.publish(story.id, text ? { override: true, overrideReason: text } : {}));
    await refreshQueries(['stories']);
  });
  const needsReview = publish.problem?.code === 'REVIEW_REQUIRED';
  if (published) {
    return (
      <Dialog title={`Version ${published.version} is published`} close={close}>
        {published.warnings.length > 0 && (
          <ul>
            {published.warnings.map(({ code, sectionId, blockId, message }) => (
              <li key={`${code} ${sectionId} ${blockId}`}>{message}</li>
            ))}
          </ul>
        )}
        <div class="actions">
          <a class="button main" href={pageOf(story.id)}>
            Read it
          </a>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog
      title={`Publish “${story.title}”?`}
      close={close}
      action="Publish"
      submit={async () => {
        await publish.run();
        return false;
      }}
      isBusy={publish.isRunning}
      problem={publish.problem}
    >
      <p>All members of the workspace can read it then, each with the rows that they may see.</p>
      {needsReview && isAdmin && (
        <TextField
          label="Why it is published without a review"
          rows={2}
          hint="Kept with the version."
          {...bound(reason)}
        />
      )}
    </Dialog>
  );
}
