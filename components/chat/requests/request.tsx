import { useComputed } from '@preact/signals';
import type { JSX } from 'preact';
import type { ServerRequest } from '../../../lib/types/request.ts';
import { usePanel } from '../../panel-context.ts';
import { lazy } from '../../ui/lazy.tsx';
import { InPlace } from '../in-place.tsx';
import '../calls/approval.css';
import './request.css';

const RequestForm = lazy((views) => views.RequestForm);
const SamplingRequestView = lazy((views) => views.SamplingRequestView);
const UrlRequest = lazy((views) => views.UrlRequest);

/** What servers ask the user: of the calls of one message, or, without `calls`, what no call on this page asks. */
export function Requests({ calls }: { calls?: string[] }): JSX.Element {
  const { chat } = usePanel();
  const requests = useComputed(() => chat.value.requests).value;
  const isHere = ({ callId }: ServerRequest): boolean =>
    calls ? callId !== null && calls.includes(callId) : callId === null || !chat.value.calls[callId];
  return (
    <>
      {requests.filter(isHere).map((request) => (
        <InPlace key={request.id}>
          <RequestView request={request} />
        </InPlace>
      ))}
    </>
  );
}

/** One thing that a server asks the user. */
export function RequestView({ request }: { request: ServerRequest }): JSX.Element {
  switch (request.kind) {
    case 'form':
      return <RequestForm request={request} />;
    case 'url':
      return <UrlRequest request={request} />;
    case 'sampling':
      return <SamplingRequestView request={request} />;
  }
}
