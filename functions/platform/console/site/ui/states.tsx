import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';
import { issueText } from './place-name.ts';

const QUIET_MS = 150;

/** The heading of a state: of the whole screen with `isPage`, otherwise of a part of it. */
const Heading = ({ isPage, children }: { isPage: boolean | undefined; children: ComponentChildren }) =>
  isPage ? <h1>{children}</h1> : <h2>{children}</h2>;

/** Grey bars in the place of what loads. Short waits show nothing. */
export function Loading({ rows = 5, isPage }: { rows?: number; isPage?: boolean }) {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), QUIET_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class="loading" role="status" aria-busy="true">
      {isPage ? <h1 class="sr">Loading …</h1> : <span class="sr">Loading …</span>}
      {isLong && Array.from({ length: rows }, (_, index) => <div key={index} class="bar" />)}
    </div>
  );
}

interface EmptyProps {
  icon?: IconName;
  title: string;
  /** One sentence: what would be here, and how it comes to be. */
  children?: ComponentChildren;
  /** The one action, such as a button. */
  action?: ComponentChildren;
  /** In the place of the whole screen. */
  isPage?: boolean;
}

export const Empty = ({ icon, title, children, action, isPage }: EmptyProps) => (
  <div class="state">
    {icon && <Icon name={icon} size={28} />}
    <Heading isPage={isPage}>{title}</Heading>
    {children && <p>{children}</p>}
    {action}
  </div>
);

/** What a person reads of an error. */
export interface ShownProblem {
  sentence: string;
  issues?: readonly { pointer: string; message: string }[];
  code?: string | undefined;
  requestId?: string | undefined;
  kind?: string;
}

interface FailedProps {
  problem: ShownProblem;
  retry?: () => void;
  /** In the place of the whole screen. */
  isPage?: boolean;
}

/** An error in the place of what it prevents, or the note that the product is not in the plan. */
export const Failed = ({ problem, retry, isPage }: FailedProps) =>
  problem.kind === 'unlicensed' ? (
    <NotInPlan isTurnedOff={problem.code === 'PRODUCT_TURNED_OFF'} isPage={isPage} />
  ) : (
    <div class="state failed" role="alert">
      <Icon name="circle-alert" size={28} />
      {isPage && <h1>This cannot be shown</h1>}
      <ProblemText problem={problem} />
      {retry && (
        <Button icon="rotate-ccw" onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  );

/** An error beside the control that caused it, such as below a form. */
export const Issue = ({ problem }: { problem: ShownProblem | undefined }) => (
  <div role="alert" class={problem && 'issue-box'}>
    {problem && <ProblemText problem={problem} />}
  </div>
);

const ProblemText = ({ problem: { sentence, issues = [], code, requestId } }: { problem: ShownProblem }) => (
  <div class="problem-text">
    <p>{sentence}</p>
    {issues.length > 0 && (
      <ul>
        {issues.map(({ pointer, message }) => (
          <li key={`${pointer} ${message}`}>{issueText({ pointer, message })}</li>
        ))}
      </ul>
    )}
    {code !== undefined && (
      <p class="hint">
        {code}
        {requestId !== undefined && <> · request {requestId}</>}
      </p>
    )}
  </div>
);

interface NotInPlanProps {
  /** By the operator of the platform, whatever the plan. */
  isTurnedOff?: boolean;
  isPage?: boolean | undefined;
}

/** In the place of a product that the company may not use. */
export const NotInPlan = ({ isTurnedOff, isPage }: NotInPlanProps) => (
  <div class="state" role="status">
    <Icon name="lock" size={28} />
    <Heading isPage={isPage}>{isTurnedOff ? 'Turned off' : 'Not in your plan'}</Heading>
    <p>
      {isTurnedOff
        ? 'The operator of the platform has turned this off. Your plan is unchanged.'
        : 'The plan of your company does not include this. An admin of the company can upload another licence.'}
    </p>
  </div>
);

/** In the place of what the person may not see. */
export const NotAllowed = ({ title, children, isPage }: Pick<EmptyProps, 'title' | 'children' | 'isPage'>) => (
  <div class="state">
    <Icon name="lock" size={28} />
    <Heading isPage={isPage}>{title}</Heading>
    <p>{children}</p>
  </div>
);
