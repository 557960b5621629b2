import { useSignal } from '@preact/signals';
import type { Types } from '../../../data/client.ts';
import { bound } from '../../../ui/bound.ts';
import { Field, TextField } from '../../../ui/field.tsx';

/** What connects the platform with a provider. */
export function useConnection(provider?: Types.IdentityProvider) {
  const issuer = useSignal(provider?.oidc?.issuer ?? '');
  const clientId = useSignal(provider?.oidc?.clientId ?? '');
  const clientSecret = useSignal('');
  const metadataUrl = useSignal(provider?.saml?.metadataUrl ?? '');
  const metadata = useSignal('');
  return {
    ...{ issuer, clientId, clientSecret, metadataUrl, metadata },
    isNew: provider === undefined,
    body: (type: string) =>
      type === 'oidc'
        ? {
            oidc: {
              issuer: issuer.peek().trim(),
              clientId: clientId.peek().trim(),
              ...(clientSecret.peek() && { clientSecret: clientSecret.peek() }),
            },
          }
        : {
            saml: {
              ...(metadataUrl.peek().trim() && { metadataUrl: metadataUrl.peek().trim() }),
              ...(metadata.peek().trim() && { metadata: metadata.peek() }),
            },
          },
  };
}

interface ConnectionProps {
  draft: ReturnType<typeof useConnection>;
  type: string;
  issues: readonly { pointer: string; message: string }[];
}

export function Connection({ draft, type, issues }: ConnectionProps) {
  const issueAt = (pointer: string) => issues.find((issue) => issue.pointer === pointer)?.message;
  if (type === 'oidc') {
    return (
      <>
        <Field
          label="Issuer"
          required
          type="url"
          placeholder="https://login.example.com"
          issue={issueAt('/oidc/issuer')}
          {...bound(draft.issuer)}
        />
        <Field label="Client ID" required issue={issueAt('/oidc/clientId')} {...bound(draft.clientId)} />
        <Field
          label="Client secret"
          type="password"
          autocomplete="off"
          placeholder={draft.isNew ? '' : 'unchanged unless you enter a new one'}
          hint={draft.isNew ? undefined : 'A new issuer needs it again.'}
          issue={issueAt('/oidc/clientSecret')}
          {...bound(draft.clientSecret)}
        />
      </>
    );
  }
  return (
    <>
      <Field
        label="Address of its metadata"
        type="url"
        placeholder="https://login.example.com/metadata.xml"
        issue={issueAt('/saml/metadataUrl')}
        {...bound(draft.metadataUrl)}
      />
      <TextField
        label="Or its metadata (XML)"
        rows={5}
        spellcheck={false}
        issue={issueAt('/saml/metadata')}
        {...bound(draft.metadata)}
      />
    </>
  );
}
