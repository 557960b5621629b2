import { useAction } from '../../data/action.ts';
import { refreshQueries } from '../../data/query.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Issue } from '../../ui/states.tsx';
import { Ago } from '../../ui/time.tsx';

interface DeletedProps {
  what: 'dashboard' | 'report';
  record: { name: string; deletedAt: string };
  restore: () => Promise<unknown>;
}

/** In the place of a record that its editors can still read, and restore. */
export function Deleted({ what, record: { name, deletedAt }, restore }: DeletedProps) {
  const restoring = useAction(async () => {
    await restore();
    await refreshQueries([`${what}s`]);
  });
  return (
    <Page title={name}>
      <Empty
        icon="trash-2"
        title={`This ${what} was deleted`}
        action={
          <>
            <Button look="main" isBusy={restoring.isRunning} onClick={() => void restoring.run()}>
              Restore
            </Button>
            <Issue problem={restoring.problem} />
          </>
        }
      >
        It was deleted <Ago at={deletedAt} />, and can be restored for 30 days after that.
      </Empty>
    </Page>
  );
}
