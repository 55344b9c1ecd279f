/** Importing node:http as a module also loads fetch, because WebSocket is one of its exports: 40 ms of a start, and memory. */
export const { createServer, IncomingMessage, STATUS_CODES } = process.getBuiltinModule('node:http');
