import { createServer } from 'node:http';

/** Bare node:http that reads a JSON body and keeps nothing of it: what taking reports in costs by itself. Argument: port. */
const [port = ''] = process.argv.slice(2);
const answer = JSON.stringify({ accepted: 1 });
const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': answer.length };

createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on('data', (piece) => pieces.push(piece));
  request.on('end', () => {
    JSON.parse(Buffer.concat(pieces).toString() || 'null');
    response.writeHead(200, headers).end(answer);
  });
}).listen(Number(port), '127.0.0.1');
