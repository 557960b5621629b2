import { api } from '../../../data/client.ts';
import { problemOf } from '../../../data/problem.ts';
import { refreshQueries, useQuery } from '../../../data/query.ts';
import { Failed, Loading } from '../../../ui/states.tsx';
import { Closing } from '../closing.tsx';
import type { PartProps } from '../part-props.ts';
import { AuditRetention } from './audit-retention.tsx';
import { Licence } from './licence.tsx';
import { CompanyName } from './name.tsx';
import { People } from './people.tsx';
import { Workspaces } from './workspaces.tsx';

const KEY = ['company'];

/** What admins of the company decide for all its workspaces. */
export default function Company({ query }: PartProps) {
  const { data: company, error, refresh } = useQuery(KEY, () => api.company.get());
  if (!company) return error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={6} />;
  const { name, revision, deletesAt } = company;
  return (
    <>
      <CompanyName key={revision} company={company} />
      <Workspaces />
      <People query={query} />
      <Licence />
      <AuditRetention />
      <Closing
        noun="company"
        name={name}
        deletesAt={deletesAt}
        hint="All its workspaces close immediately. They can be restored for a few days; then everything is erased, including the accounts of all people."
        loses="This deletes all workspaces of the company, everything in them, and the accounts of its people."
        remove={async () => {
          await api.company.delete({ confirm: name }, { ifMatch: revision });
          await refreshQueries(KEY);
        }}
        restore={async () => {
          await api.company.restore();
          await refreshQueries(KEY);
        }}
      />
    </>
  );
}
