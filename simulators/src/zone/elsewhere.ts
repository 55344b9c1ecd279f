import { listen } from '../http-listener.ts';

export type Elsewhere = Awaited<ReturnType<typeof startElsewhere>>;

/** Where redirects lead: another origin that claims success for a deduction nobody made. */
export async function startElsewhere() {
  const visits: string[] = [];
  const listener = await listen({
    port: 0,
    handle(request, response) {
      visits.push(request.url ?? '');
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"result":0,"msg":"ok"}');
    },
  });
  return { url: `http://127.0.0.1:${listener.port}/elsewhere`, visits, stop: listener.pause };
}
