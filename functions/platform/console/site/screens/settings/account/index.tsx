import { useMe } from '../../../data/me.ts';
import { EmailAddress } from './email-address.tsx';
import { Groups } from './groups.tsx';
import { Passkeys } from './passkeys.tsx';
import { Password } from './password.tsx';
import { Profile } from './profile.tsx';
import { SecondFactor } from './second-factor.tsx';
import { SignIns } from './sign-ins.tsx';

/** What a person sets for themselves. */
export default function Account() {
  const me = useMe().data!;
  return (
    <>
      {!me.emailConfirmed && <EmailAddress me={me} />}
      <Profile me={me} />
      <Password />
      <SecondFactor me={me} />
      <Passkeys me={me} />
      <SignIns />
      <Groups me={me} />
    </>
  );
}
