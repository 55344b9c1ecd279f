import { createServer } from 'node:http';

/** Bare node:http with a constant body per path. Arguments: port, then alternating paths and bodies. */
const [port = '', ...pairs] = process.argv.slice(2);
const bodies = new Map<string | undefined, Buffer>();
for (let index = 0; index < pairs.length; index += 2)
  bodies.set(pairs[index], Buffer.from(pairs[index + 1] ?? ''));

createServer((request, response) => {
  const body = bodies.get(request.url);
  if (body === undefined) return response.writeHead(404).end();
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
  });
  response.end(body);
}).listen(Number(port), '127.0.0.1');
