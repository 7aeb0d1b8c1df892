import type { JSX } from 'preact';
import type { ServerRequest } from '../../../lib/types/request.ts';
import { RequestView } from '../../chat/requests/request.tsx';
import { RequestContext, type Requesting } from '../../request-context.ts';
import { useSetupState } from '../options-context.ts';
import { Problem } from '../form/problem.tsx';
import { useMemo, useState } from 'preact/hooks';
import { toWire } from '../../../lib/errors.ts';
import { choiceFor } from '../../../lib/state/composer/choice.ts';
import { createKeptAnswers } from '../../../lib/state/composer/kept-answers.ts';
import { requesterAlike } from '../../../lib/state/trust/look-alike.ts';
import type { WireError } from '../../../lib/types/error.ts';

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

/** For what servers ask outside any chat: the model of new chats is asked, and what is typed lives as long as the page. */
function useOwnRequesting(): { requesting: Requesting; error: WireError | null } {
  const { setup, answerRequest } = useSetupState();
  const [error, setError] = useState<WireError | null>(null);
  const requesting = useMemo((): Requesting => {
    const answers = createKeptAnswers(null);
    return {
      answers,
      asked: () => choiceFor(setup.value, null),
      alike: (request) => requesterAlike(request, setup.value),
      async answerRequest(requestId, answer) {
        try {
          await answerRequest(requestId, answer);
        } catch (failure) {
          setError(toWire(failure));
          return false;
        }
        answers.forget(requestId);
        return true;
      },
    };
  }, [setup, answerRequest]);
  return { requesting, error };
}
