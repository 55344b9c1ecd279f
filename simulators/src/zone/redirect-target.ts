import { listen } from '../http-listener.ts';

export type RedirectTarget = Awaited<ReturnType<typeof startRedirectTarget>>;

/** The target of redirects: another origin that claims success for a deduction that was not made. */
export async function startRedirectTarget() {
  const requests: string[] = [];
  const listener = await listen({
    port: 0,
    handle(request, response) {
      requests.push(request.url ?? '');
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"result":0,"msg":"ok"}');
    },
  });
  return { url: `http://127.0.0.1:${listener.port}/redirected`, requests, stop: listener.pause };
}
