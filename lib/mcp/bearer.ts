const sent = new WeakMap<Response, string>();

/** Notes with which bearer token, if any, a request was made that got this answer: a 401 speaks of that one. */
export function noteBearer(response: Response, headers: HeadersInit | undefined): void {
  sent.set(response, /^Bearer (.+)$/.exec(new Headers(headers).get('authorization') ?? '')?.[1] ?? '');
}

/** The bearer token of the request that got this answer; empty where it had none, undefined where that is not known. */
export function bearerOf(response: Response): string | undefined {
  return sent.get(response);
}
