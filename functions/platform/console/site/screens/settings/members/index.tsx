import { useState } from 'preact/hooks';
import { Button } from '../../../ui/button.tsx';
import { Section } from '../../../ui/page.tsx';
import type { PartProps } from '../part-props.ts';
import { Invitations } from './invitations.tsx';
import { Invite } from './invite.tsx';
import { MemberList } from './list.tsx';
import { MemberPage } from './member.tsx';

/** The people of the workspace, and those who were invited. */
export default function Members({ id, query }: PartProps) {
  const [isInviting, setInviting] = useState(false);
  if (id !== undefined) return <MemberPage userId={id} />;
  return (
    <>
      <Section
        title="Members"
        actions={
          <Button look="main" icon="plus" isSmall onClick={() => setInviting(true)}>
            Invite people
          </Button>
        }
      >
        <MemberList query={query} />
      </Section>
      <Invitations />
      {isInviting && <Invite close={() => setInviting(false)} />}
    </>
  );
}
