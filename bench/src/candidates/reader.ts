import { createServer } from 'node:http';

/** Bare node:http that reads a JSON body and discards it: the bare cost of receiving reports. Argument: port. */
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
