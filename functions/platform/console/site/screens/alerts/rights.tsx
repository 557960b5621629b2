import type { Alert } from '../../data/alerts.ts';
import { hasRole, useMe } from '../../data/me.ts';
import { useNames } from '../../data/members.ts';
import { OwnerField } from '../../shell/member-choice.tsx';
import { CheckField, SelectField } from '../../ui/field.tsx';

/** Who is responsible for an alert, and whose rows it is about. */
export interface RightsDraft {
  /** Empty for the person who makes the alert. */
  ownerId: string;
  runAs: string;
  /** Whether the rows of the owner are shared with people who may not see them. */
  shareRows: boolean;
}

export const EMPTY_RIGHTS: RightsDraft = { ownerId: '', runAs: 'recipients', shareRows: false };

/** After a change of the source, the owner shares the rows anew: by a mark of their own, not with the next change. */
export const isToShareAgain = ({ error }: Alert): boolean => error?.code === 'ALERT_SOURCE_CHANGED';

export const rightsOf = (alert: Alert): RightsDraft => ({
  ownerId: alert.ownerId,
  runAs: alert.runAs,
  shareRows: alert.shareRows && !isToShareAgain(alert),
});

/** What of it the request has: only what is changed, since each of them is a decision about the rows of a person. */
export function rightsIn({ ownerId, runAs, shareRows }: RightsDraft, base: Alert | undefined): Partial<RightsDraft> {
  const before = base ? rightsOf(base) : EMPTY_RIGHTS;
  const isOwners = runAs === 'owner';
  return {
    ...(ownerId !== before.ownerId && { ownerId }),
    ...(runAs !== before.runAs
      ? { runAs, shareRows: isOwners && shareRows }
      : isOwners && shareRows !== before.shareRows && { shareRows }),
  };
}

/** Whose rows an alert is about, in words. */
export const runAsInWords = (runAs: string): string =>
  runAs === 'owner' ? 'the rows that its owner may see' : 'the rows that they may see';

interface RightsProps {
  value: RightsDraft;
  change(change: Partial<RightsDraft>): void;
  /** The alert as it is stored. */
  base: Alert | undefined;
  issueAt: (pointer: string) => string | undefined;
}

export function Rights({ value: { ownerId, runAs, shareRows }, change, base, issueAt }: RightsProps) {
  const me = useMe().data;
  const owner = useNames()?.get(ownerId);
  const isAdmin = hasRole(me, 'admin');
  const isOwn = ownerId === '' || ownerId === me?.user.id;
  return (
    <>
      <OwnerField
        hint="The owner is responsible for the alert and is notified of its errors. If they leave the workspace, the alert stops."
        issue={issueAt('/ownerId')}
        value={ownerId}
        choose={(next) => change({ ownerId: next })}
      />
      {isAdmin ? (
        <SelectField
          label="Everyone is notified of"
          hint={
            isOwn || runAs === 'owner'
              ? undefined
              : 'Admins can share only their own rows. To share yours, make yourself the owner.'
          }
          issue={issueAt('/runAs')}
          value={runAs}
          onChange={({ currentTarget }) => change({ runAs: currentTarget.value })}
        >
          <option value="recipients">{runAsInWords('recipients')}</option>
          <option value="owner" disabled={!isOwn && runAs !== 'owner'}>
            {runAsInWords('owner')}
          </option>
        </SelectField>
      ) : (
        <p class="hint">
          Everyone is notified of {runAsInWords(base?.runAs ?? runAs)}.
          {base?.runAs === 'owner' && ' Only admins can change this, what the alert is about and whom it notifies.'}
        </p>
      )}
      {runAs === 'owner' && isAdmin && !isOwn && (
        <p class="hint">
          These are the rows that {owner ?? 'another person'} may see. To change what the alert is about or whom it
          notifies, make yourself the owner or choose “{runAsInWords('recipients')}”.
        </p>
      )}
      {runAs === 'owner' && isAdmin && (
        <CheckField
          label="Share rows that the recipients may not see"
          hint={
            base && isToShareAgain(base)
              ? 'The source of the alert has changed. Nothing new is shared until the owner checks this box again.'
              : 'Required if row policies protect the data. Notifications say whose rows they are about.'
          }
          issue={issueAt('/shareRows')}
          checked={shareRows}
          onChange={({ currentTarget }) => change({ shareRows: currentTarget.checked })}
        />
      )}
    </>
  );
}
