import { useSignal } from '@preact/signals';
import { useAction } from '../../data/action.ts';
import type { BoardDraft } from '../../data/board-draft.ts';
import { api, type Types } from '../../data/client.ts';
import { hasRole, useMe } from '../../data/me.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckField, Field } from '../../ui/field.tsx';
import { toast } from '../../ui/toast.tsx';

interface PublishProps {
  draft: BoardDraft;
  select: (cardId: string) => void;
  close: () => void;
}

const GATES: Readonly<Record<string, string>> = {
  CARD_EMPTY: 'it shows nothing yet. Choose what it is of, or delete it.',
};

/** Shows the draft to its readers, or says which cards prevent it. An admin can publish anyway, with a reason. */
export function Publish({ draft, select, close }: PublishProps) {
  const isAdmin = hasRole(useMe().data, 'admin');
  const note = useSignal('');
  const isForced = useSignal(false);
  const reason = useSignal('');
  const gates = useSignal<readonly Types.DashboardGateReason[]>([]);
  const publish = useAction(async () => {
    await draft.flush();
    const body = {
      ...(note.peek().trim() && { changeNote: note.peek().trim() }),
      ...(isForced.peek() && { override: true, overrideReason: reason.peek().trim() }),
    };
    try {
      const { version, warnings } = await draft.structure(() => api.dashboards.publish(draft.id, body));
      toast(`Version ${version} is published.`);
      for (const { message, cardTitle } of warnings) toast(`${cardTitle}: ${message}`);
    } catch (error) {
      gates.value = reasonsOf(error);
      throw error;
    }
  });
  const { problem } = publish;
  return (
    <Dialog
      title="Publish"
      action="Publish"
      isBusy={publish.isRunning}
      isIncomplete={draft.conflicts.value.size > 0}
      problem={gates.value.length > 0 ? undefined : problem}
      submit={() => publish.run()}
      close={close}
    >
      <p>Readers see the draft as it is now. The version stays, and can be restored.</p>
      {draft.conflicts.value.size > 0 && (
        <p class="issue">Another person has changed some of the same cards. Choose a version of each first.</p>
      )}
      <Field
        label="What has changed"
        maxLength={1000}
        autocomplete="off"
        hint="Shown in the list of versions."
        value={note.value}
        onInput={({ currentTarget }) => {
          note.value = currentTarget.value;
        }}
      />
      {gates.value.length > 0 && (
        <div class="issue-box" role="alert">
          <p>These cards prevent it:</p>
          <ul class="gates">
            {gates.value.map(({ cardId, cardTitle, code, message }) => (
              <li key={`${cardId} ${message}`}>
                <button
                  type="button"
                  class="as-link"
                  onClick={() => {
                    close();
                    select(cardId);
                    document.getElementById(`card-${cardId}`)?.focus();
                  }}
                >
                  {cardTitle || 'Untitled card'}
                </button>
                : {GATES[code] ?? message}
              </li>
            ))}
          </ul>
        </div>
      )}
      {gates.value.length > 0 && isAdmin && (
        <>
          <CheckField
            label="Publish anyway"
            checked={isForced.value}
            onChange={({ currentTarget }) => {
              isForced.value = currentTarget.checked;
            }}
          />
          {isForced.value && (
            <Field
              label="Why"
              required
              maxLength={1000}
              hint="The version keeps it."
              value={reason.value}
              onInput={({ currentTarget }) => {
                reason.value = currentTarget.value;
              }}
            />
          )}
        </>
      )}
      {gates.value.length > 0 && !isAdmin && <p class="hint">An admin can publish it anyway.</p>}
    </Dialog>
  );
}

const reasonsOf = (error: unknown): readonly Types.DashboardGateReason[] =>
  (error as { code?: string }).code === 'PUBLISH_GATE'
    ? (error as { problem: { reasons: Types.DashboardGateReason[] } }).problem.reasons
    : [];
