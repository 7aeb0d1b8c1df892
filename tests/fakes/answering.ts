/** What each path answers, given the request's JSON; undefined, or no such path: status 404. */
export type Routes = Record<string, (body: unknown) => unknown>;

/** A `fetch` of a server with these routes, whatever its address. */
export function answering(routes: Routes): typeof fetch {
  return (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined;
    const answer = routes[pathname]?.(body);
    return Promise.resolve(answer === undefined ? new Response('', { status: 404 }) : Response.json(answer));
  };
}
