import { useState } from 'preact/hooks';
import { useAction } from '../../data/action.ts';
import { api } from '../../data/client.ts';
import { problemOf } from '../../data/problem.ts';
import { queries, useQuery } from '../../data/query.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Field } from '../../ui/field.tsx';
import { Failed, Issue } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';

/** The URL that starts the pipeline. It is a secret: hidden, and not read before it is asked for. */
export function HookUrl({ pipelineId }: { pipelineId: string }) {
  const [isShown, show] = useState(false);
  const key = ['pipelines', pipelineId, 'hook'];
  const { data, error, refresh } = useQuery(key, () => api.pipelines.getWebhookTrigger(pipelineId), {
    enabled: isShown,
  });
  const rotate = useAction(async () => {
    queries.setQueryData(key, await api.pipelines.rotateWebhookToken(pipelineId));
    show(true);
    toast('The former URL no longer works.');
  });
  return (
    <div class="hook">
      {isShown && data && <Field label="URL, which is a secret" readOnly value={data.url} />}
      {isShown && !data && error !== null && <Failed problem={problemOf(error)} retry={refresh} />}
      <div class="actions">
        {!isShown && (
          <Button icon="eye" onClick={() => show(true)}>
            Show the URL
          </Button>
        )}
        {isShown && data && (
          <CopyButton text={data.url} confirmation="The URL is copied.">
            Copy
          </CopyButton>
        )}
        <Button icon="refresh-cw" isBusy={rotate.isRunning} onClick={() => void rotate.run()}>
          Replace the URL
        </Button>
      </div>
      <Issue problem={rotate.problem} />
    </div>
  );
}
