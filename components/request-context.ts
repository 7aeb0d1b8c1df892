import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Choice } from '../lib/state/composer/choice.ts';
import type { KeptAnswers } from '../lib/state/composer/kept-answers.ts';
import type { RequestAnswer, ServerRequest } from '../lib/types/request.ts';

/** What the views of servers' requests need of the page that they are on. */
export type Requesting = {
  /** False when the worker did not take it. */
  answerRequest: (requestId: string, answer: RequestAnswer) => Promise<boolean>;
  /** What is typed into servers' forms. */
  answers: KeptAnswers;
  /** The model that a sampling request would be put to, as it is now; null: none is chosen. */
  asked: () => Choice | null;
  /** What its server may be taken for. */
  alike: (request: ServerRequest) => string | undefined;
};

export const RequestContext = createContext<Requesting | null>(null);

/** @throws when used outside a page that shows servers' requests. */
export function useRequesting(): Requesting {
  const requesting = useContext(RequestContext);
  if (!requesting) throw new Error('useRequesting needs a RequestContext above it');
  return requesting;
}
