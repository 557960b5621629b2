import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from '../../data/action.ts';
import { api, type Types } from '../../data/client.ts';
import { useFirstTry } from '../../data/first-try.ts';
import { hasRole, useMe } from '../../data/me.ts';
import { refreshQueries } from '../../data/query.ts';
import { type Attributes, attributesOf, type SharedObject, type TypedAttribute } from '../../data/sharing.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton, copy } from '../../ui/copy-button.tsx';
import { CheckField, Field, SelectField } from '../../ui/field.tsx';
import { Issue, NotAllowed } from '../../ui/states.tsx';
import { AttributeFields } from './attribute-fields.tsx';
import { LinkList } from './link-list.tsx';

interface LinksProps {
  shared: SharedObject;
  /** What a reader with these attributes would see. */
  preview: (attributes: Attributes) => ComponentChildren;
}

type ShareType = 'public' | 'password' | 'rls';

const AUDIENCES: Readonly<Record<ShareType, string>> = {
  public: 'Anyone with the link',
  password: 'Anyone with the link and a password',
  rls: 'An audience that sees its own rows',
};
const PROTECTED_SENTENCE = `Row-level security or sensitivity labels protect what a card reads. Choose “${AUDIENCES.rls}”.`;
const DAY_MS = 86_400_000;
const ENDS = [
  ['', 'never'],
  ['1', 'in a day'],
  ['7', 'in a week'],
  ['30', 'in 30 days'],
  ['365', 'in a year'],
] as const;

/** Links for readers without an account, with what they would see beside the form. */
export function Links({ shared, preview }: LinksProps) {
  const isAdmin = hasRole(useMe().data, 'admin');
  const [shareType, setType] = useState<ShareType>('public');
  const [password, setPassword] = useState('');
  const [typed, setTyped] = useState<TypedAttribute[]>([{ name: '', values: '' }]);
  const [ends, setEnds] = useState<string>('');
  const [allowExport, setExport] = useState(false);
  const [look, setLook] = useState<'none' | 'title' | 'picture'>('title');
  const attributes = shareType === 'rls' ? attributesOf(typed) : {};
  const firstTry = useFirstTry();
  const create = useAction(async () => {
    const body: Types.CreateShare = {
      contentType: shared.type,
      contentId: shared.id,
      shareType,
      allowExport,
      ...(shareType === 'password'
        ? { password }
        : { preview: shareType === 'rls' && look === 'picture' ? 'title' : look }),
      ...(shareType === 'rls' && { rlsContext: { attributes } }),
      ...(ends !== '' && { expiresAt: new Date(firstTry.at() + Number(ends) * DAY_MS).toISOString() }),
    };
    const { url } = await api.shares.create(body);
    firstTry.end();
    setUrl(url);
    setPassword('');
    await refreshQueries(['shares', shared.id]);
    await copy(url!, 'The link is copied.');
  });
  const [url, setUrl] = useState<string | undefined>(undefined);
  if (!isAdmin) {
    return (
      <NotAllowed title="Links are created by admins">
        An admin of the workspace can create a link for readers without an account.
      </NotAllowed>
    );
  }
  const isIncomplete = shareType === 'rls' && Object.keys(attributes).length === 0;
  return (
    <div class="sharing-part">
      {!shared.isPublished && (
        <p class="issue-box">Links open what is published, and this is a draft. Publish it first.</p>
      )}
      <div class="beside">
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault();
            void create.run();
          }}
        >
          <fieldset class="audiences">
            <legend>Who can open it</legend>
            {Object.entries(AUDIENCES).map(([value, label]) => (
              <label key={value}>
                <input
                  type="radio"
                  name="audience"
                  checked={shareType === value}
                  onChange={() => setType(value as ShareType)}
                />
                {label}
              </label>
            ))}
          </fieldset>
          {shareType === 'rls' && <AttributeFields value={typed} set={setTyped} />}
          {shareType === 'password' && (
            <Field
              label="Password"
              type="password"
              autocomplete="new-password"
              required
              minLength={8}
              hint="Send it separately from the link."
              value={password}
              onInput={({ currentTarget }) => setPassword(currentTarget.value)}
            />
          )}
          <SelectField label="Expires" value={ends} onChange={({ currentTarget }) => setEnds(currentTarget.value)}>
            {ENDS.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </SelectField>
          {shareType !== 'password' && (
            <SelectField
              label="Link previews in other apps show"
              value={look}
              onChange={({ currentTarget }) => setLook(currentTarget.value as 'none')}
            >
              <option value="title">the name and the description</option>
              {shareType === 'public' && <option value="picture">also a picture of the numbers</option>}
              <option value="none">nothing</option>
            </SelectField>
          )}
          <CheckField
            label="Readers may download the rows"
            checked={allowExport}
            onChange={({ currentTarget }) => setExport(currentTarget.checked)}
          />
          <div class="actions">
            <Button
              type="submit"
              look="main"
              icon="copy"
              isBusy={create.isRunning}
              disabled={isIncomplete || !shared.isPublished}
            >
              Create and copy the link
            </Button>
          </div>
          <Issue
            problem={
              create.problem?.code === 'RLS_SHARE_REQUIRED'
                ? { ...create.problem, sentence: PROTECTED_SENTENCE }
                : create.problem
            }
          />
          {url && (
            <div class="new-link">
              <Field
                label="The link is shown only now"
                readOnly
                value={url}
                onFocus={({ currentTarget }) => currentTarget.select()}
              />
              <CopyButton text={url} confirmation="The link is copied.">
                Copy the link
              </CopyButton>
            </div>
          )}
        </form>
        {shared.isPublished && <div class="audience">{preview(attributes)}</div>}
      </div>
      <LinkList shared={shared} />
    </div>
  );
}
