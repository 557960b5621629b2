import type { PartProps } from '../part-props.ts';
import { Enforcement } from './enforcement.tsx';
import { NewProvider } from './new-provider.tsx';
import { ProviderPage } from './provider.tsx';
import { Providers } from './providers.tsx';
import { Provisioning } from './provisioning.tsx';

/** How people of the company sign in, and how their identity provider keeps them up to date. */
export default function SignOn({ id }: PartProps) {
  if (id === 'new') return <NewProvider />;
  if (id !== undefined) return <ProviderPage id={id} />;
  return (
    <>
      <Providers />
      <Enforcement />
      <Provisioning />
    </>
  );
}
