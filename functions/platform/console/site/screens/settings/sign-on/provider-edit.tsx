import { api, type Types } from '../../../data/client.ts';
import { refreshQueries } from '../../../data/query.ts';
import { useEdit } from '../../../data/versioned.ts';
import { Changed } from '../../../ui/changed.tsx';
import { toast } from '../../../ui/toast.tsx';

/** A change of some members of the provider. */
export const useProviderEdit = (provider: Types.IdentityProvider, body: () => Types.UpdateIdentityProvider) =>
  useEdit(
    provider,
    () => api.identityProviders.get(provider.id),
    async (ifMatch) => {
      const saved = await api.identityProviders.update(provider.id, body(), { ifMatch });
      await refreshQueries(['providers']);
      toast('The provider has been saved.');
      return saved;
    },
  );

export const TheirProvider = ({ edit }: { edit: ReturnType<typeof useProviderEdit> }) => (
  <Changed
    keepMine={() => void edit.keepMine()}
    takeTheirs={() => {
      edit.takeTheirs();
      void refreshQueries(['providers']);
    }}
  />
);
