import { DelegationInactiveError } from 'imprimatur-client';
import { explainError } from './explain-error.ts';
import { OutsideLink } from './outside-link.tsx';
import { authorityPageLink } from './page-links.ts';
import { useChain } from './session.ts';

interface ErrorAlertProps {
  readonly error: unknown;
  /** Shows a button to try again. */
  readonly onRetry?: () => void;
}

/** Explains an error. Always rendered, so that screen readers announce its content. */
export function ErrorAlert({ error, onRetry }: ErrorAlertProps) {
  return (
    <div role="alert">
      {error !== undefined && (
        <div class="problem">
          <p>{explainError(error)}</p>
          {error instanceof DelegationInactiveError && <DelegateLink chainId={error.chainId} />}
          {onRetry && (
            <button type="button" class="quiet" onClick={onRetry}>
              Try again
            </button>
          )}
        </div>
      )}
    </div>
  );
}

function DelegateLink({ chainId }: { readonly chainId: number }) {
  const chain = useChain(chainId);
  if (!chain) return null;
  return (
    <p>
      <OutsideLink href={authorityPageLink(chain)}>Open the page for authorities</OutsideLink>
    </p>
  );
}
