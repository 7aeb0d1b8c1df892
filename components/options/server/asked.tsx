import type { JSX } from 'preact';
import type { ServerRequest } from '../../../lib/types/request.ts';
import { RequestView } from '../../chat/requests/request.tsx';
import { RequestContext } from '../../request-context.ts';
import { useSetupState } from '../options-context.ts';
import { Problem } from '../form/problem.tsx';
import { useOwnRequesting } from './use-requesting.ts';

/** What servers ask the user while something on this page is under way. `isOurs`: which of it came of that. */
export function Asked({ isOurs }: { isOurs: (request: ServerRequest) => boolean }): JSX.Element {
  const { requests } = useSetupState();
  const { requesting, error } = useOwnRequesting();
  return (
    <RequestContext.Provider value={requesting}>
      {error && <Problem error={error} />}
      {requests.value.filter(isOurs).map((request) => (
        <RequestView key={request.id} request={request} />
      ))}
    </RequestContext.Provider>
  );
}
