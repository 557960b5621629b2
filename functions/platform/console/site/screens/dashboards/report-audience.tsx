import { useAction } from '../../data/action.ts';
import { api } from '../../data/client.ts';
import type { Attributes, SharedObject } from '../../data/sharing.ts';
import { Button } from '../../ui/button.tsx';
import { Issue } from '../../ui/states.tsx';

/** Opens a report as a reader with these attributes would see it, in a window of its own. */
export function ReportAudience({ shared: { type, id }, attributes }: { shared: SharedObject; attributes: Attributes }) {
  const open = useAction(async () => {
    const { url } = await api.embedding.createToken({ contentType: type, contentId: id, attributes, expiresIn: 600 });
    window.open(url, '_blank', 'noopener');
  });
  return (
    <section aria-label="What a reader sees">
      <h2>What a reader sees</h2>
      <p class="hint">The view opens for ten minutes, with the attributes of the form.</p>
      <Button icon="external-link" isBusy={open.isRunning} onClick={() => void open.run()}>
        See it as a reader
      </Button>
      <Issue problem={open.problem} />
    </section>
  );
}
